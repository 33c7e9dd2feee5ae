// Pure data: words about earlier turns that an answer was given from the archive.
export const RECALL = {
  usedTurn: (turn: number) => `used turn ${turn}`,
  usedTurns: 'used turns',
  goTo: (turn: number) => `Go to turn ${turn}, which was recalled for this answer`,
};
