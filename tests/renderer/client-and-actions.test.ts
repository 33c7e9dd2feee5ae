/** Client, socket rules and actions over a bridge without an engine: nothing typed is lost, order is kept. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ConsoleError } from '../../shared/errors.ts';
import { createConsoleClient, createFrameBatcher } from '../../renderer/client/console-client.ts';
import { parseFrame, reconnectDelay, tokenOfFragment, withoutToken } from '../../renderer/client/socket-rules.ts';
import { flushDraft, loadEverything, loadList, openConversation, sendMessage, setClient, setDraft } from '../../renderer/state/actions.ts';
import { emptyData } from '../../renderer/state/console-data.ts';
import { foldEvents } from '../../renderer/state/fold-events.ts';
import { loadForecast } from '../../renderer/state/inspect-actions.ts';
import { useConsole } from '../../renderer/state/store.ts';
import { createFakeBridge, type FakeBridge } from './fakes/fake-bridge.ts';
import { FIRST, plan, SECOND, summary, view } from './fakes/samples.ts';

const start = useConsole.getInitialState();
let bridge: FakeBridge;
let frames: (() => void)[];

beforeEach(() => {
  useConsole.setState({ ...start, data: emptyData(), preferences: { ...start.preferences, selectedId: null } }, true);
  bridge = createFakeBridge();
  frames = [];
  const client = createConsoleClient(bridge, (run) => frames.push(run));
  client.subscribe((events) => useConsole.setState((state) => ({ data: foldEvents(state.data, events) })));
  setClient(client);
  bridge.answer('saveDraft', () => ({}));
  bridge.answer('openConversation', () => view(FIRST));
  bridge.answer('getTurnMarks', () => ({ turns: [] }));
});

const draft = () => useConsole.getState().drafts[FIRST];
const sends = () =>
  bridge.calls.filter((call) => call.method === 'sendMessage').map((call) => call.params as { messageId: string; text: string });

describe('sending', () => {
  test('the text leaves the draft while it is sent and the pending bubble goes when it is saved', async () => {
    bridge.answer('sendMessage', () => ({ turn: 1, runId: 'r', queued: false }));
    setDraft(FIRST, '  Hello  ');
    const sending = sendMessage(FIRST);
    expect(draft()).toBe('');
    expect(useConsole.getState().pending[FIRST]?.text).toBe('Hello');
    await sending;
    expect(useConsole.getState().pending[FIRST]).toBeUndefined();
    expect(sends()[0]?.messageId).toMatch(/^[0-9a-f]{32}$/);
  });

  test('a send that fails gives the text back, before what was typed meanwhile, and says why', async () => {
    bridge.answer('sendMessage', () => {
      throw new ConsoleError('not-saved', 'The disk is full.');
    });
    setDraft(FIRST, 'Hello');
    const sending = sendMessage(FIRST);
    setDraft(FIRST, 'and more');
    await sending;
    expect(draft()).toBe('Hello\nand more');
    expect(useConsole.getState().sendErrors[FIRST]?.message).toBe('The disk is full.');
  });

  test('the same text keeps its message id when sent again; another text gets another', async () => {
    bridge.answer('sendMessage', () => {
      throw new ConsoleError('internal', 'lost');
    });
    setDraft(FIRST, 'Hello');
    await sendMessage(FIRST);
    await sendMessage(FIRST);
    setDraft(FIRST, 'Other');
    await sendMessage(FIRST);
    const ids = sends().map((call) => call.messageId);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('nothing is sent for blanks, or twice at once', async () => {
    bridge.answer('sendMessage', () => ({ turn: 1, runId: 'r', queued: false }));
    setDraft(FIRST, '  \n ');
    await sendMessage(FIRST);
    setDraft(FIRST, 'Hello');
    const first = sendMessage(FIRST);
    setDraft(FIRST, 'Again');
    await sendMessage(FIRST);
    await first;
    expect(sends()).toHaveLength(1);
    expect(draft()).toBe('Again');
  });
});

describe('drafts', () => {
  test('a stored draft is shown after opening, and never replaces what is being typed', async () => {
    bridge.answer('openConversation', () => view(FIRST, { draft: 'stored' }));
    await openConversation(FIRST);
    expect(draft()).toBe('stored');
    setDraft(FIRST, 'typed');
    await openConversation(FIRST);
    expect(draft()).toBe('typed');
  });

  test('a waiting draft is saved at once when asked, once', async () => {
    setDraft(FIRST, 'half');
    await flushDraft(FIRST);
    await flushDraft(FIRST);
    expect(bridge.calls.filter((call) => call.method === 'saveDraft')).toEqual([
      { method: 'saveDraft', params: { conversationId: FIRST, text: 'half' } },
    ]);
  });
});

describe('answers and events', () => {
  test('events that came before an answer are applied before it', async () => {
    bridge.answer('openConversation', () => {
      bridge.emit({ type: 'conversation-change', conversation: summary(SECOND) });
      return view(FIRST);
    });
    await openConversation(FIRST);
    expect(useConsole.getState().data.items.map((item) => item.id)).toEqual([SECOND]);
    for (const frame of frames) frame();
    expect(useConsole.getState().data.items).toHaveLength(1);
  });

  test('a slower, older answer never replaces a newer one', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    bridge.answer('listConversations', async ({ search }: { search?: string }) => {
      if (search === undefined) await gate;
      return { items: [summary(search === undefined ? FIRST : SECOND)], nextCursor: null, total: 1 };
    });
    const slow = loadList();
    useConsole.setState((state) => ({ list: { ...state.list, search: 'x' } }));
    await loadList();
    release();
    await slow;
    expect(useConsole.getState().data.items.map((item) => item.id)).toEqual([SECOND]);
  });

  test('a forecast that fails keeps the last one and says why', async () => {
    const forecast = { plan: plan(), parts: [], totalTokens: 5, windowTokens: null, model: 'm', promptVersion: '1' };
    bridge.answer('previewContext', () => forecast);
    await loadForecast(FIRST);
    bridge.answer('previewContext', () => {
      throw new ConsoleError('storage', 'cannot read');
    });
    await loadForecast(FIRST);
    expect(useConsole.getState().forecasts[FIRST]).toMatchObject({ forecast, error: { message: 'cannot read' } });
  });

  test('an engine that cannot start is an error on the screen, and a deleted conversation only closes', async () => {
    await loadEverything();
    expect(useConsole.getState().startError?.code).toBe('unsupported');
    bridge.answer('openConversation', () => {
      throw new ConsoleError('not-found', 'gone');
    });
    await openConversation(FIRST);
    expect(useConsole.getState().preferences.selectedId).toBeNull();
  });
});

describe('client', () => {
  test('one delivery per frame, in order; a flush leaves nothing for the frame', () => {
    const delivered: number[][] = [];
    const scheduled: (() => void)[] = [];
    const batcher = createFrameBatcher<number>(
      (items) => delivered.push(items),
      (run) => scheduled.push(run),
    );
    batcher.push([1]);
    batcher.push([2, 3]);
    expect(scheduled).toHaveLength(1);
    scheduled[0]?.();
    batcher.push([4]);
    batcher.flush();
    scheduled[1]?.();
    expect(delivered).toEqual([[1, 2, 3], [4]]);
  });

  test('a refusal rejects with a ConsoleError of its code', async () => {
    await expect(createConsoleClient(bridge).call('getSettings', {})).rejects.toMatchObject({ name: 'ConsoleError', code: 'unsupported' });
  });

  test('the token of the link, and the fragment without it', () => {
    expect(tokenOfFragment('#token=abc')).toBe('abc');
    expect(tokenOfFragment('#x=1')).toBeNull();
    expect(tokenOfFragment('')).toBeNull();
    expect(withoutToken('#token=abc')).toBe('');
    expect(withoutToken('#token=abc&x=1')).toBe('#x=1');
  });

  test('pauses between attempts grow up to a limit', () => {
    expect([1, 2, 3, 99].map(reconnectDelay)).toEqual([250, 500, 1000, 5000]);
  });

  test('frames that are no frames are ignored', () => {
    for (const data of ['', '{', 'null', '[]', '{"id":"x","ok":true}', new ArrayBuffer(1), undefined]) expect(parseFrame(data)).toBeNull();
    expect(parseFrame('{"events":[]}')).toEqual({ events: [] });
    expect(parseFrame('{"id":1,"ok":true,"result":5}')).toEqual({ id: 1, ok: true, result: 5 });
  });
});
