// Text shown as it is: folded when it is long, in pieces that are laid out only when they come into view.
import { words } from '../language/language.ts';
import { memo, useMemo, useState } from 'react';
import { formatBytes } from '../ui/format.ts';
import { headOf, plainPieces } from './markdown-guard.ts';

/** A short text that Markdown cannot show, and why. */
export function PlainText({ text, reason }: { text: string; reason: string }) {
  return (
    <>
      <pre className="plain-text" dir="auto">
        {text}
      </pre>
      <p className="plain-note">{words().pane.plain(reason)}</p>
    </>
  );
}

/** A long text: its head, and all of it when asked for. */
export const FoldedText = memo(function FoldedText({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const pieces = useMemo(() => (open ? plainPieces(text) : [`${headOf(text)}…`]), [open, text]);
  const size = useMemo(() => formatBytes(new TextEncoder().encode(text).length), [text]);
  return (
    <>
      {pieces.map((piece, index) => (
        <pre key={index} className="plain-text piece" dir="auto">
          {piece}
        </pre>
      ))}
      <p className="plain-note">
        <button type="button" className="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? words().pane.showLess : words().pane.showAll(size)}
        </button>{' '}
        {words().pane.longPlain}
      </p>
    </>
  );
});
