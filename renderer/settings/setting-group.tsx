// A titled card of settings.
import type { ReactNode } from 'react';

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="setting-group" aria-label={title}>
      <h3>{title}</h3>
      <div className="setting-card">{children}</div>
    </section>
  );
}
