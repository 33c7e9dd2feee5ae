// Settings in pages: a list of them at the left, the chosen one at the right.
import { useRef, type KeyboardEvent } from 'react';
import { words } from '../language/language.ts';
import { showDialog } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';
import { DialogSheet } from '../ui/dialog.tsx';
import { About } from './about.tsx';
import { Appearance } from './appearance.tsx';
import { ModelSettings } from './model-settings.tsx';
import { PrivacySettings } from './privacy-settings.tsx';
import { PriceTable } from './price-table.tsx';
import { SettingFields } from './setting-field.tsx';
import { StorageSettings } from './storage-settings.tsx';
import { TenantUsage } from './tenant-usage.tsx';

const PAGES = ['model', 'storage', 'memory', 'budgets', 'appearance', 'privacy', 'about'] as const;
type Page = (typeof PAGES)[number];

export function SettingsDialog() {
  const wanted = useConsole((state) => state.settingsPage);
  const page: Page = PAGES.find((one) => one === wanted) ?? 'model';
  const text = words().settings;
  return (
    <DialogSheet title={text.title} size="pages" onClose={() => showDialog(null)}>
      <div className="settings-pages">
        <PageTabs page={page} />
        <div className="settings scroll" role="tabpanel" id="settings-page" aria-label={text.pages[page]} key={page}>
          <PageOf page={page} />
        </div>
      </div>
    </DialogSheet>
  );
}

function PageTabs({ page }: { page: Page }) {
  const list = useRef<HTMLDivElement>(null);
  const text = words().settings;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = PAGES[(PAGES.indexOf(page) + by + PAGES.length) % PAGES.length] ?? 'model';
    useConsole.setState({ settingsPage: next });
    list.current?.querySelector<HTMLElement>(`[data-page="${next}"]`)?.focus();
  };
  return (
    <div ref={list} className="settings-tabs" role="tablist" aria-orientation="vertical" aria-label={text.title} onKeyDown={onKeyDown}>
      {PAGES.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          data-page={one}
          aria-selected={page === one}
          aria-controls="settings-page"
          tabIndex={page === one ? 0 : -1}
          onClick={() => useConsole.setState({ settingsPage: one })}
        >
          {text.pages[one]}
        </button>
      ))}
    </div>
  );
}

function PageOf({ page }: { page: Page }) {
  switch (page) {
    case 'model':
      return <ModelSettings />;
    case 'storage':
      return <StorageSettings />;
    case 'memory':
      return <SettingFields groups={['memory', 'runs', 'search']} />;
    case 'budgets':
      return (
        <>
          <SettingFields groups={['caps']} />
          <PriceTable />
          <TenantUsage />
        </>
      );
    case 'appearance':
      return <Appearance />;
    case 'privacy':
      return (
        <>
          <SettingFields groups={['privacy', 'keeping']} />
          <PrivacySettings />
        </>
      );
    case 'about':
      return <About />;
  }
}
