// Pure data: words of the title bar, the areas and the start.
export const SHELL = {
  cannotStart: 'Nimbus cannot start',
  tryAgain: 'Try again',
  linkUsed: 'This link was used already, or is too old',
  linkFresh: 'Press Enter in the terminal where Nimbus Console runs: it prints a fresh link. Open that one here.',
};
