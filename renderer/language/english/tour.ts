// Pure data: words of the tour.
export const TOUR = {
  title: (step: number, of: number) => `Tour, ${step} of ${of}`,
  skip: 'Skip',
  back: 'Back',
  next: 'Next',
  done: 'Done',
  offer: 'New here? A tour of five places takes a minute.',
  take: 'Take the tour',
  decline: 'No, thanks',
  steps: {
    list: {
      title: 'Every conversation',
      text: 'Who wrote, when, and what came of it. Search finds words of every message; N starts a new one.',
    },
    chat: {
      title: 'Watch Nimbus answer',
      text: 'Words appear as the model writes them, tool calls as they happen. Stop, retry or continue at any time; what you type is kept.',
    },
    inspector: {
      title: 'What happened, and what was sent',
      text: 'Trace shows every step with its time, tokens and money. Context shows exactly what the model saw of this conversation.',
    },
    meter: {
      title: 'The budget of the next request',
      text: 'What it holds by part, what it may cost, and how much room is left. Quiet until it matters.',
    },
    palette: {
      title: 'Everything by name',
      text: 'Ctrl K finds every command, setting and conversation. Press ? for all keys.',
    },
  },
};
