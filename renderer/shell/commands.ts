// Every action of the console, once: the palette, the menus of the window, the shortcut sheet and the keys read this list. Runs through the state's actions.
import { openFind } from '../chat/find-bar.tsx';
import { scrollToTurn } from '../chat/transcript.tsx';
import { changePreferences, continueTurn, retryTurn, showDialog, startConversation, stopRun } from '../state/actions.ts';
import { compactNow, deleteOpenConversation, pinSelectedTurn, saveConversation } from '../state/conversation-actions.ts';
import { moveTurn } from '../state/inspect-actions.ts';
import type { Area, InspectorTab, Theme } from '../state/preferences.ts';
import { type ConsoleState, newestTurn, openConversationOf, useConsole } from '../state/store.ts';

export const GROUPS = ['go', 'conversation', 'turn', 'view', 'app'] as const;
export type CommandGroup = (typeof GROUPS)[number];

export interface Command {
  group: CommandGroup;
  /** As drawn on the keys; `Mod` is Ctrl, and ⌘ on a Mac. Two parts after one another: press one, then the other. */
  keys?: readonly string[];
  /** Absent: always. */
  available?: (state: ConsoleState) => boolean;
  run: () => void;
}

const state = useConsole.getState;
const isOpen = (now: ConsoleState): boolean => openConversationOf(now) !== undefined;
const isRunning = (now: ConsoleState): boolean => (openConversationOf(now)?.live ?? null) !== null;
const isResting = (now: ConsoleState): boolean => isOpen(now) && !isRunning(now);

function newestState(now: ConsoleState): string | undefined {
  const data = openConversationOf(now);
  return data === undefined ? undefined : data.records[newestTurn(data)]?.state;
}

const canRetry = (now: ConsoleState): boolean => isResting(now) && ['failed', 'stopped', 'interrupted'].includes(newestState(now) ?? '');
const canContinue = (now: ConsoleState): boolean => isResting(now) && ['stopped', 'interrupted'].includes(newestState(now) ?? '');

/** Does something with the open conversation; nothing when none is open. */
function onOpen(act: (id: string) => unknown): () => void {
  return () => {
    const data = openConversationOf(state());
    if (data !== undefined) void act(data.summary.id);
  };
}

const goTo = (area: Area): (() => void) => {
  return () => changePreferences({ area });
};

function step(by: 1 | -1): () => void {
  return () => {
    const turn = moveTurn(by);
    if (turn !== null) scrollToTurn(turn);
  };
}

function inspect(tab: InspectorTab): () => void {
  return () => {
    changePreferences({ area: 'conversations', inspectorTab: tab });
    useConsole.setState({ drawerOpen: true });
  };
}

const setTheme = (theme: Theme) => () => changePreferences({ theme });

export const COMMANDS = {
  'open-palette': { group: 'app', keys: ['Mod', 'K'], run: () => showDialog('palette') },
  'go-conversations': { group: 'go', keys: ['G', 'C'], run: goTo('conversations') },
  'go-traces': { group: 'go', keys: ['G', 'T'], run: goTo('traces') },
  'go-context': { group: 'go', keys: ['G', 'X'], run: goTo('context') },
  'go-memories': { group: 'go', keys: ['G', 'M'], run: goTo('memories') },
  'focus-search': {
    group: 'go',
    keys: ['/'],
    run: () => {
      changePreferences({ area: 'conversations' });
      requestAnimationFrame(() => document.getElementById('conversation-search')?.focus());
    },
  },
  'focus-message': {
    group: 'go',
    keys: ['M'],
    available: isOpen,
    run: () => {
      changePreferences({ area: 'conversations' });
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer textarea')?.focus());
    },
  },
  'new-conversation': { group: 'conversation', keys: ['N'], run: () => showDialog('new-conversation') },
  'new-demo-conversation': { group: 'conversation', run: () => void startConversation(undefined) },
  stop: { group: 'conversation', keys: ['Esc'], available: isRunning, run: onOpen(stopRun) },
  retry: { group: 'conversation', available: canRetry, run: onOpen(retryTurn) },
  continue: { group: 'conversation', available: canContinue, run: onOpen(continueTurn) },
  'compact-now': { group: 'conversation', available: isResting, run: onOpen(compactNow) },
  'save-markdown': { group: 'conversation', available: isOpen, run: onOpen((id) => saveConversation(id, 'markdown')) },
  'save-openai': { group: 'conversation', available: isOpen, run: onOpen((id) => saveConversation(id, 'openai')) },
  'save-json': { group: 'conversation', available: isOpen, run: onOpen((id) => saveConversation(id, 'json')) },
  'delete-conversation': { group: 'conversation', available: isResting, run: onOpen(deleteOpenConversation) },
  'find-text': { group: 'turn', keys: ['Mod', 'F'], available: isOpen, run: find('text') },
  'go-to-turn': { group: 'turn', keys: ['Mod', 'G'], available: isOpen, run: find('turn') },
  'next-turn': { group: 'turn', keys: ['J'], available: isOpen, run: step(1) },
  'previous-turn': { group: 'turn', keys: ['K'], available: isOpen, run: step(-1) },
  'pin-turn': { group: 'turn', keys: ['P'], available: isOpen, run: () => void pinSelectedTurn() },
  'show-trace': { group: 'turn', available: isOpen, run: inspect('trace') },
  'show-context': { group: 'turn', available: isOpen, run: inspect('context') },
  'show-customer': { group: 'conversation', available: isOpen, run: inspect('customer') },
  'toggle-compacted': {
    group: 'view',
    keys: ['C'],
    run: () => changePreferences({ showCompacted: !state().preferences.showCompacted }),
  },
  'toggle-inspector': { group: 'view', keys: ['I'], run: toggleInspector },
  'theme-system': { group: 'view', run: setTheme('system') },
  'theme-light': { group: 'view', run: setTheme('light') },
  'theme-dark': { group: 'view', run: setTheme('dark') },
  'density-comfortable': { group: 'view', run: () => changePreferences({ density: 'comfortable' }) },
  'density-compact': { group: 'view', run: () => changePreferences({ density: 'compact' }) },
  'text-larger': { group: 'view', run: () => changePreferences({ textSize: larger(1) }) },
  'text-smaller': { group: 'view', run: () => changePreferences({ textSize: larger(-1) }) },
  'language-english': { group: 'view', run: () => changePreferences({ language: 'en' }) },
  'language-german': { group: 'view', run: () => changePreferences({ language: 'de' }) },
  'show-settings': { group: 'app', keys: ['Mod', ','], run: () => openSettings('model') },
  'settings-model': { group: 'app', run: () => openSettings('model') },
  'settings-memory': { group: 'app', run: () => openSettings('memory') },
  'settings-budgets': { group: 'app', run: () => openSettings('budgets') },
  'settings-storage': { group: 'app', run: () => openSettings('storage') },
  'settings-appearance': { group: 'app', run: () => openSettings('appearance') },
  'settings-privacy': { group: 'app', run: () => openSettings('privacy') },
  'show-sync': { group: 'app', run: () => showDialog('sync') },
  'show-about': { group: 'app', run: () => openSettings('about') },
  'show-shortcuts': { group: 'app', keys: ['?'], run: () => showDialog('shortcuts') },
  'show-tour': { group: 'app', run: startTour },
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof COMMANDS;

export const COMMAND_IDS = Object.keys(COMMANDS) as CommandId[];

export function commandNamed(id: CommandId): Command {
  return COMMANDS[id];
}

export function isCommandId(text: string): text is CommandId {
  return Object.hasOwn(COMMANDS, text);
}

export function isAvailable(id: CommandId, now: ConsoleState): boolean {
  return commandNamed(id).available?.(now) ?? true;
}

/** Runs it when it can be run now. */
export function runCommand(id: CommandId): void {
  if (isAvailable(id, state())) commandNamed(id).run();
}

function find(field: 'text' | 'turn'): () => void {
  return () => {
    changePreferences({ area: 'conversations' });
    requestAnimationFrame(() => openFind(field));
  };
}

function startTour(): void {
  changePreferences({ area: 'conversations', inspectorHidden: false, tourSeen: true });
  useConsole.setState({ tourStep: 0, dialog: null });
}

function openSettings(settingsPage: string): void {
  useConsole.setState({ settingsPage });
  showDialog('settings');
}

/** Below the width where the inspector is a drawer it opens and closes; above it is shown or hidden beside the chat. */
function toggleInspector(): void {
  const { drawerOpen, preferences } = state();
  if (matchMedia('(max-width: 1199px)').matches) useConsole.setState({ drawerOpen: !drawerOpen });
  else changePreferences({ inspectorHidden: !preferences.inspectorHidden });
}

const SIZES = ['small', 'normal', 'large', 'larger'] as const;

function larger(by: 1 | -1): (typeof SIZES)[number] {
  const at = SIZES.indexOf(state().preferences.textSize);
  return SIZES[Math.min(SIZES.length - 1, Math.max(0, at + by))] ?? 'normal';
}
