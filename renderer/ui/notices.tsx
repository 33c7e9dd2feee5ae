// Notices at the corner: what went wrong outside a view, until they are dismissed.
import { words } from '../language/language.ts';
import { CircleAlert, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { dismissNotice } from '../state/actions.ts';
import type { Notice } from '../state/console-data.ts';
import { useConsole } from '../state/store.ts';

/** Information leaves by itself; warnings and errors wait for a person. */
const INFO_SHOWN_MS = 6000;

export function Notices() {
  const notices = useConsole((state) => state.data.notices);
  return (
    <div className="notices" role="status" aria-live="polite">
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeCard({ notice }: { notice: Notice }) {
  useEffect(() => {
    if (notice.level !== 'info') return undefined;
    const timer = setTimeout(() => dismissNotice(notice.id), INFO_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const Icon = notice.level === 'info' ? Info : CircleAlert;
  return (
    <div className={`notice ${notice.level}`}>
      <Icon className="i" aria-hidden />
      <span dir="auto">{notice.message}</span>
      <button type="button" className="ghost icon sm" aria-label={words().everywhere.dismiss} onClick={() => dismissNotice(notice.id)}>
        <X className="i m" aria-hidden />
      </button>
    </div>
  );
}
