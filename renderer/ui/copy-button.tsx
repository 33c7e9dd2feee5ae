// Copies a text and says so. I/O: clipboard.
import { words } from '../language/language.ts';
import { Check, Copy } from 'lucide-react';
import { addNotice } from '../state/actions.ts';
import { useFlash } from './hooks.ts';

export function CopyButton({ text, label, withWord = false }: { text: () => string; label: string; withWord?: boolean }) {
  const [copied, flash] = useFlash();
  const copy = () => {
    navigator.clipboard.writeText(text()).then(flash, () => addNotice('error', words().everywhere.noClipboard));
  };
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      className={withWord ? 'ghost sm' : 'ghost icon sm'}
      aria-label={copied ? words().everywhere.copied : label}
      title={label}
      onClick={copy}
    >
      <Icon className="i m" aria-hidden />
      {withWord && <span>{copied ? words().everywhere.copied : words().everywhere.copy}</span>}
    </button>
  );
}
