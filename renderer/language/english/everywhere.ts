// Pure data: words used everywhere: failures, copying, notices, values nobody knows.
export const EVERYWHERE = {
  cannotBeShown: (what: string) => `${what} cannot be shown:`,
  nothingLost: '. Nothing you typed or received is lost.',
  textFollows: '. Its text follows as it is.',
  tryAgain: 'Try again',
  dismiss: 'Dismiss',
  copy: 'Copy',
  copied: 'Copied',
  noClipboard: 'The clipboard is not available here. Select the text and copy it.',
  unknown: 'unknown',
};
