/** Pure: rules of shop records that every store follows. */
import type { Customer } from '../../shared/shop.ts';

/** The ticket counter starts here; tickets up to it belong to seeded data and are replaced by seeding, later ones stay. */
export const LAST_SEEDED_TICKET = 5000;

/** Where a search for customers looks. */
export function customerTexts(customer: Customer): string[] {
  return [customer.id, customer.name, customer.email, customer.phone, customer.city];
}
