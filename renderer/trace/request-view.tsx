// A model call's request as rows that open one by one, in the order sent.
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { words } from '../language/language.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { ToolValueView } from '../turns/tool-card.tsx';
import { type RequestItem, requestItems } from './request-items.ts';

export function RequestView({ request }: { request: unknown }) {
  const items = requestItems(request);
  if (items === null) return <ToolValueView title={words().trace.detail.request} value={request} />;
  return (
    <div className="request-view">
      <div className="io-head">
        <span className="eyebrow">{words().trace.detail.inOrder}</span>
        <CopyButton text={() => JSON.stringify(request, null, 2)} label={words().trace.detail.copyRequest} />
      </div>
      {items.map((item) => (
        <Item key={item.number} item={item} />
      ))}
    </div>
  );
}

function Item({ item }: { item: RequestItem }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="request-item" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight className="i s chevron" aria-hidden />
        <span className="dim num">{item.number}</span>
        <span className="item-label">{item.label}</span>
        <span className="trunc dim" dir="auto">
          {item.text}
        </span>
      </summary>
      {open && (
        <div className="item-whole">
          <ToolValueView title={words().trace.detail.text} value={item.whole} />
        </div>
      )}
    </details>
  );
}
