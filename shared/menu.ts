/** Pure data: the window's menu as the page describes it, in the language a person chose. */
import { z } from 'zod';

const item = z.strictObject({
  /** The page's own name of the command; sent back when the entry is chosen. */
  command: z.string().regex(/^[a-z][a-z-]{0,59}$/u),
  label: z.string().min(1).max(80),
  /** Shown and pressed, e.g. `CmdOrCtrl+K`. */
  accelerator: z
    .string()
    .regex(/^(?:CmdOrCtrl\+)(?:Shift\+)?(?:[A-Z0-9]|,)$/u)
    .optional(),
  enabled: z.boolean(),
});

export const menuSchema = z.strictObject({
  names: z.strictObject({
    file: z.string().min(1).max(40),
    edit: z.string().min(1).max(40),
    view: z.string().min(1).max(40),
    conversation: z.string().min(1).max(40),
    window: z.string().min(1).max(40),
    help: z.string().min(1).max(40),
  }),
  file: z.array(item).max(20),
  view: z.array(item).max(30),
  conversation: z.array(item).max(30),
  help: z.array(item).max(10),
});

export type MenuModel = z.infer<typeof menuSchema>;
export type MenuEntry = z.infer<typeof item>;
