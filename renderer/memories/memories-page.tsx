// The Memories area: what is remembered about customers and tenants; found, added, edited, pinned, deleted.
import { Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { words } from '../language/language.ts';
import { engine } from '../state/actions.ts';
import { PanelEmpty } from '../ui/panel-empty.tsx';
import { MemoryForm } from './memory-form.tsx';
import { type MemoryFilter, shownMemories, successorOf } from './memory-list.ts';
import { MemoryRow } from './memory-row.tsx';
import { useMemories } from './use-memories.ts';

const SHOWN = ['all', 'pinned', 'tenant'] as const;

export function MemoriesPage() {
  const found = useMemories();
  const [filter, setFilter] = useState<MemoryFilter>({ search: '', show: 'all', superseded: false });
  const [adding, setAdding] = useState(false);
  const text = words().memories;
  const nameOf = (id: string) => found.names.get(id) ?? id;
  const all = found.memories ?? [];
  const shown = shownMemories(all, filter, nameOf);
  return (
    <section className="page" aria-label={text.title}>
      <header className="page-head">
        <h1>{text.title}</h1>
        <label className="field page-search">
          <Search className="i m" aria-hidden />
          <input
            type="text"
            role="searchbox"
            aria-label={text.find}
            placeholder={text.find}
            dir="auto"
            value={filter.search}
            onChange={(event) => setFilter({ ...filter, search: event.target.value })}
          />
        </label>
        <Which filter={filter} onChange={setFilter} />
        <label className="memory-old">
          <input
            type="checkbox"
            checked={filter.superseded}
            onChange={(event) => setFilter({ ...filter, superseded: event.target.checked })}
          />
          {text.superseded}
        </label>
        <span className="grow" />
        <span className="dim optional">{text.count(shown.length)}</span>
        <button type="button" onClick={() => setAdding(true)}>
          <Plus className="i m" aria-hidden />
          {text.add}
        </button>
      </header>
      {adding && (
        <MemoryForm
          customers={[...found.names]}
          onClose={() => setAdding(false)}
          onSave={(customerId, fact) => found.change(() => engine().call('addMemory', { customerId, text: fact }))}
        />
      )}
      {found.error !== null && (
        <p className="bad memory-problem" role="alert">
          {found.error.message}{' '}
          <button type="button" className="sm" onClick={found.load}>
            {words().shell.tryAgain}
          </button>
        </p>
      )}
      {found.memories === null && found.error === null && <PanelEmpty title={text.loading} text="" />}
      {found.memories !== null && shown.length === 0 && (
        <PanelEmpty title={all.length === 0 ? text.none : text.nothing} text={all.length === 0 ? text.noneMeaning : text.nothingMeaning} />
      )}
      {shown.length > 0 && (
        <ul className="memory-list scroll" aria-label={text.title}>
          {shown.map((memory) => (
            <MemoryRow key={memory.id} memory={memory} successor={successorOf(memory, all)} nameOf={nameOf} change={found.change} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Which({ filter, onChange }: { filter: MemoryFilter; onChange: (filter: MemoryFilter) => void }) {
  const text = words().memories;
  return (
    <div className="segments" role="radiogroup" aria-label={text.which}>
      {SHOWN.map((show) => (
        <button key={show} type="button" role="radio" aria-checked={filter.show === show} onClick={() => onChange({ ...filter, show })}>
          {text.shown[show]}
        </button>
      ))}
    </div>
  );
}
