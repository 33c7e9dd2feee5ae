/** Part of the console's contract: forgetting a customer. Pure data. */
import { z } from 'zod';
import type { ErasurePreview, ErasureProof } from '../erasure.ts';
import { result } from './schema.ts';

const customer = z.object({ customerId: z.string().trim().min(1, 'say which customer').max(190) });

export const ERASURE_API = {
  /** What would be removed, by table; nothing is changed. */
  previewForgetCustomer: { params: customer, result: result<ErasurePreview>() },
  /** Removes every copy and looks for what is left. `busy` while another console answers this customer or another erasure runs. */
  forgetCustomer: { params: customer, result: result<{ proof: ErasureProof }>() },
} as const;
