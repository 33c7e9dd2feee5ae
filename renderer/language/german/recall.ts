// Pure data: words about earlier turns that an answer was given from the archive.
export const RECALL = {
  usedTurn: (turn: number) => `nutzte Runde ${turn}`,
  usedTurns: 'nutzte Runden',
  goTo: (turn: number) => `Zu Runde ${turn}, die für diese Antwort herangezogen wurde`,
};
