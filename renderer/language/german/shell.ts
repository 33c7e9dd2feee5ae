// Pure data: words of the title bar, the areas and the start.
import type { English } from '../english/index.ts';

export const SHELL: English['shell'] = {
  cannotStart: 'Nimbus kann nicht starten',
  tryAgain: 'Erneut versuchen',
  linkUsed: 'Dieser Link wurde schon benutzt oder ist zu alt',
  linkFresh: 'Drücken Sie Enter in dem Terminal, in dem Nimbus Console läuft: Es zeigt einen frischen Link. Öffnen Sie diesen hier.',
};
