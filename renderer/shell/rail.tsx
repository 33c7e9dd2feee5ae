// The areas at the left edge, and what is always at hand below them.
import { Brain, ChartGantt, Columns2, Inbox, Keyboard, Moon, Settings, Sun, SunMoon } from 'lucide-react';
import { words } from '../language/language.ts';
import { changePreferences, showDialog } from '../state/actions.ts';
import type { Theme } from '../state/preferences.ts';
import { useConsole } from '../state/store.ts';

const NEXT_THEME: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const THEME_ICONS = { system: SunMoon, light: Sun, dark: Moon };

const AREAS = [
  { id: 'conversations', Icon: Inbox },
  { id: 'traces', Icon: ChartGantt },
  { id: 'context', Icon: Columns2 },
  { id: 'memories', Icon: Brain },
] as const;

export function Rail() {
  const area = useConsole((state) => state.preferences.area);
  const theme = useConsole((state) => state.preferences.theme);
  const ThemeIcon = THEME_ICONS[theme];
  const text = words().shell;
  const themes = words().appearance.themes;
  return (
    <nav className="rail" aria-label={text.areas}>
      {AREAS.map(({ id, Icon }) => (
        <button
          key={id}
          type="button"
          className="rail-item"
          aria-current={area === id ? 'page' : undefined}
          aria-label={text.area(text.areaNames[id])}
          title={text.areaNames[id]}
          onClick={() => changePreferences(area === id && id === 'conversations' ? { selectedId: null } : { area: id })}
        >
          <Icon className="i" aria-hidden />
        </button>
      ))}
      <span className="grow" />
      <button
        type="button"
        className="rail-item"
        aria-label={text.keyboard}
        title={`${text.keyboard} (?)`}
        onClick={() => showDialog('shortcuts')}
      >
        <Keyboard className="i" aria-hidden />
      </button>
      <button
        type="button"
        className="rail-item"
        aria-label={text.themeNext(themes[theme], themes[NEXT_THEME[theme]])}
        title={themes[theme]}
        onClick={() => changePreferences({ theme: NEXT_THEME[theme] })}
      >
        <ThemeIcon className="i" aria-hidden />
      </button>
      <button
        type="button"
        className="rail-item"
        aria-label={text.settings}
        title={`${text.settings} (Ctrl ,)`}
        onClick={() => showDialog('settings')}
      >
        <Settings className="i" aria-hidden />
      </button>
    </nav>
  );
}
