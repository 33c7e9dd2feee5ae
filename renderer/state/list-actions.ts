// Narrowing the list of conversations, and loading what of it comes into view. I/O through the client.
import type { ListFilter } from '../../shared/conversation-list.ts';
import { engine, LIST_PAGE, listQuery, loadList } from './actions.ts';
import { useConsole } from './store.ts';

const get = useConsole.getState;
const set = useConsole.setState;

export function filterConversations(filter: ListFilter): void {
  set((state) => ({ list: { ...state.list, filter } }));
  void loadList();
}

/** A page far from the start, by its number. One that cannot be loaded is asked for again when it comes into view again. */
export async function loadFarPage(page: number): Promise<void> {
  const asked = JSON.stringify(listQuery());
  if (get().list.far[page] !== undefined) return;
  set((state) => ({ list: { ...state.list, far: { ...state.list.far, [page]: [] } } }));
  try {
    const { items } = await engine().call('listConversations', { limit: LIST_PAGE, offset: page * LIST_PAGE, ...listQuery() });
    if (JSON.stringify(listQuery()) !== asked) return;
    set((state) => ({ list: { ...state.list, far: { ...state.list.far, [page]: items } } }));
  } catch {
    set((state) => ({ list: { ...state.list, far: { ...state.list.far, [page]: undefined } } }));
  }
}

/** What the search found in the messages of these rows. Without an answer they show their last text. */
export async function loadSnippets(ids: readonly string[]): Promise<void> {
  const { search } = get().list;
  const unknown = ids.filter((id) => get().list.snippets[id] === undefined);
  if (search === '' || unknown.length === 0) return;
  const keep = (snippets: Record<string, (typeof known)[string]>) =>
    set((state) => (state.list.search === search ? { list: { ...state.list, snippets: { ...state.list.snippets, ...snippets } } } : {}));
  const known = get().list.snippets;
  keep(Object.fromEntries(unknown.map((id) => [id, null])));
  try {
    const { snippets } = await engine().call('getSearchSnippets', { conversationIds: unknown, search });
    keep(Object.fromEntries(snippets.map((snippet) => [snippet.conversationId, snippet])));
  } catch {
    // The row keeps its last text.
  }
}
