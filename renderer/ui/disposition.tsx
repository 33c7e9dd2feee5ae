// A disposition as glyph and word; the colour comes third.
import { AlignLeft, Ban, CornerUpLeft, Pin, Square, SquareSplitHorizontal } from 'lucide-react';
import type { Disposition } from '../../shared/compaction.ts';

const GLYPHS = { full: Square, compacted: SquareSplitHorizontal, summarised: AlignLeft, recalled: CornerUpLeft, dropped: Ban };

export function DispositionGlyph({ disposition, pinned = false }: { disposition: Disposition; pinned?: boolean }) {
  const Glyph = pinned ? Pin : GLYPHS[disposition];
  return <Glyph className={`i s glyph-${disposition}`} aria-hidden />;
}

export function DispositionLabel({ disposition, pinned = false, word }: { disposition: Disposition; pinned?: boolean; word: string }) {
  return (
    <span className={`disp ${disposition}`}>
      <DispositionGlyph disposition={disposition} pinned={pinned} />
      <span className="trunc">{word}</span>
    </span>
  );
}
