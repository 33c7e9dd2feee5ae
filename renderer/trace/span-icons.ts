// The sign and the class of each kind of span: shape and pattern carry the meaning beside the colour. Pure data.
import { CircleDashed, Database, Hand, Layers, ListTree, Shrink, Sparkle, Wrench } from 'lucide-react';
import type { SpanKind } from '../../shared/trace.ts';

export const SPAN_ICONS: Record<SpanKind, typeof Wrench> = {
  run: ListTree,
  step: Layers,
  'model-call': Sparkle,
  'tool-call': Wrench,
  approval: Hand,
  compaction: Shrink,
  storage: Database,
  'retry-wait': CircleDashed,
};

export const SPAN_CLASSES: Record<SpanKind, string> = {
  run: 'k-run',
  step: 'k-step',
  'model-call': 'k-model',
  'tool-call': 'k-tool',
  approval: 'k-approval',
  compaction: 'k-compaction',
  storage: 'k-storage',
  'retry-wait': 'k-wait',
};
