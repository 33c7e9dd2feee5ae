/** Pure: the demo shop's products. Prices are minor units of EUR. */
import type { Product } from '../../../shared/shop.ts';

const CURRENCY = 'EUR';

/** id, name, price in minor units, warranty in months. */
const ROWS: readonly (readonly [string, string, number, number])[] = [
  ['P-101', 'Drizzle pocket umbrella', 2490, 24],
  ['P-102', 'Gale storm umbrella', 3990, 60],
  ['P-103', 'Cirrus rain jacket', 8990, 24],
  ['P-104', 'Stratus rain trousers', 5490, 24],
  ['P-105', 'Puddle rubber boots', 4290, 24],
  ['P-106', 'Mistral windbreaker', 6490, 24],
  ['P-107', 'Frost merino hat', 2290, 12],
  ['P-108', 'Frost merino gloves', 2790, 12],
  ['P-109', 'Halo wool scarf', 3490, 12],
  ['P-110', 'Cumulus down pillow', 5990, 24],
  ['P-111', 'Fog humidifier', 7490, 36],
  ['P-112', 'Isobar desk barometer', 8450, 36],
  ['P-113', 'Zephyr table fan', 4990, 36],
  ['P-114', 'Sundial garden thermometer', 1990, 24],
  ['P-115', 'Monsoon rain gauge', 1490, 24],
  ['P-116', 'Horizon weather station', 12900, 36],
  ['P-117', 'Horizon outdoor sensor', 2990, 36],
  ['P-118', 'Thunder power bank', 3990, 24],
  ['P-119', 'Aurora reading lamp', 5590, 36],
  ['P-120', 'Nebula night light', 1790, 24],
  ['P-121', 'Tempest dry bag 20 l', 2990, 24],
  ['P-122', 'Glacier insulated bottle', 2790, 24],
  ['P-123', 'Comet bicycle poncho', 3790, 24],
  ['P-124', 'Cloud atlas poster', 1590, 12],
  ['P-125', 'Gift card 50', 5000, 0],
];

export const SEED_PRODUCTS: readonly Product[] = ROWS.map(([id, name, priceMinor, warrantyMonths]) => ({
  id,
  name,
  priceMinor,
  currency: CURRENCY,
  warrantyMonths,
}));
