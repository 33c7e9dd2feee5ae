// Pure data: the console's words in German, a file per feature.
import type { English } from '../english/index.ts';
import { BUDGET } from './budget.ts';
import { CHAT } from './chat.ts';
import { CONVERSATIONS } from './conversations.ts';
import { PRIVACY } from './privacy.ts';
import { INSPECTOR } from './inspector.ts';
import { RECALL } from './recall.ts';
import { COMMANDS } from './commands.ts';
import { PALETTE } from './palette.ts';
import { SHORTCUTS } from './shortcuts.ts';
import { MENU } from './menu.ts';
import { TOUR } from './tour.ts';
import { APPEARANCE } from './appearance.ts';
import { ABOUT } from './about.ts';
import { PRICES } from './prices.ts';
import { SETTINGS } from './settings.ts';
import { PANE } from './pane.ts';
import { ROWS } from './rows.ts';
import { EVERYWHERE } from './everywhere.ts';
import { TURNLOOK } from './turnlook.ts';
import { METER } from './meter.ts';
import { MODELS } from './models.ts';
import { CONTEXT } from './context.ts';
import { CUSTOMER } from './customer.ts';
import { MEMORIES } from './memories.ts';
import { SHELL } from './shell.ts';
import { STORAGE } from './storage.ts';
import { SYNC } from './sync.ts';
import { TRACE } from './trace.ts';
import { TURNS } from './turns.ts';

export const GERMAN: English = {
  budget: BUDGET,
  chat: CHAT,
  conversations: CONVERSATIONS,
  privacy: PRIVACY,
  inspector: INSPECTOR,
  recall: RECALL,
  commands: COMMANDS,
  palette: PALETTE,
  shortcuts: SHORTCUTS,
  menu: MENU,
  tour: TOUR,
  appearance: APPEARANCE,
  about: ABOUT,
  prices: PRICES,
  settings: SETTINGS,
  pane: PANE,
  rows: ROWS,
  everywhere: EVERYWHERE,
  turnlook: TURNLOOK,
  meter: METER,
  models: MODELS,
  context: CONTEXT,
  customer: CUSTOMER,
  memories: MEMORIES,
  shell: SHELL,
  storage: STORAGE,
  sync: SYNC,
  trace: TRACE,
  turns: TURNS,
};
