/** Pure: the tool `handoff_to_human`. The engine acts on the reason it returns. */
import { z } from 'zod';
import { defineTool, type Tool } from './tool.ts';

const LONGEST_REASON = 500;

export function handoffToHumanTool(): Tool {
  return defineTool({
    name: 'handoff_to_human',
    description:
      'Asks a human colleague to take over this conversation. Use it when the customer asks for a human or when nothing else helps.',
    effect: 'internal',
    schema: z
      .object({
        reason: z
          .string({ error: 'expected one sentence as text' })
          .trim()
          .min(1, 'expected one sentence')
          .max(LONGEST_REASON, `expected at most ${LONGEST_REASON} characters`)
          .describe('One sentence for the colleague: why a human is needed'),
      })
      .strict(),
    async execute({ reason }) {
      return { result: { handed_off: true, message: 'A human colleague has been asked to take over.' }, handoffReason: reason };
    },
  });
}
