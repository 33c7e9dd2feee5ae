/** Pure: the demo shop's customers. All are invented; e-mail and telephone numbers are in ranges reserved for examples. */
import type { Customer } from '../../../shared/shop.ts';

/** The customer of the demo conversation: exactly the orders 1042 and 1043 are his. */
export const DEMO_CUSTOMER_ID = 'C-1001';

/** name, mailbox, city, country (ISO 3166-1), language (BCP 47). The first row is the demo customer. */
const ROWS: readonly (readonly [string, string, string, string, string])[] = [
  ['Jonas Lindqvist', 'jonas.lindqvist', 'Stockholm', 'SE', 'en'],
  ['Amara Okonjo', 'amara.okonjo', 'Lagos', 'NG', 'en'],
  ['佐藤 美咲', 'misaki.sato', '京都', 'JP', 'ja'],
  ['Liam Gallaway', 'liam.gallaway', 'Manchester', 'GB', 'en'],
  ['Zsófia Halmos', 'zsofia.halmos', 'Szeged', 'HU', 'hu'],
  ['Mateo Quiroga', 'mateo.quiroga', 'Rosario', 'AR', 'es'],
  ['Ingrid Solheim', 'ingrid.solheim', 'Bergen', 'NO', 'nb'],
  ['أمينة الخطيب', 'amina.khatib', 'عمّان', 'JO', 'ar'],
  ['Chloé Marchand', 'chloe.marchand', 'Lyon', 'FR', 'fr'],
  ['Priya Raghunath', 'priya.raghunath', 'Chennai', 'IN', 'en'],
  ['Tobias Achterberg', 'tobias.achterberg', 'Hamburg', 'DE', 'de'],
  ['Ewa Jabłonowska', 'ewa.jablonowska', 'Gdańsk', 'PL', 'pl'],
  ['Kwame Boadi', 'kwame.boadi', 'Kumasi', 'GH', 'en'],
  ['김 서윤', 'seoyun.kim', '부산', 'KR', 'ko'],
  ['Olivia Hartnell', 'olivia.hartnell', 'Seattle', 'US', 'en'],
  ['Lorenzo Baldacci', 'lorenzo.baldacci', 'Bologna', 'IT', 'it'],
  ['Noa Feldstein', 'noa.feldstein', 'חיפה', 'IL', 'he'],
  ['Wiremu Parata', 'wiremu.parata', 'Rotorua', 'NZ', 'en'],
  ['Mei-Ling Tsui', 'meiling.tsui', 'Hong Kong', 'HK', 'en'],
  ['Søren Østergaard', 'soren.ostergaard', 'Aarhus', 'DK', 'da'],
  ['Beatriz Figueira', 'beatriz.figueira', 'Porto', 'PT', 'pt'],
  ['Дарина Коваль', 'daryna.koval', 'Львів', 'UA', 'uk'],
  ['Aoife Brannigan', 'aoife.brannigan', 'Galway', 'IE', 'en'],
  ['Emre Yıldıztepe', 'emre.yildiztepe', 'İzmir', 'TR', 'tr'],
  ['Hannah Vogelsang', 'hannah.vogelsang', 'Berlin', 'DE', 'de'],
  ['Tane Whitmore', 'tane.whitmore', 'Melbourne', 'AU', 'en'],
  ['Carmen Villaseñor', 'carmen.villasenor', 'Valencia', 'ES', 'es'],
  ['Γιώργος Μανωλάκης', 'giorgos.manolakis', 'Ηράκλειο', 'GR', 'el'],
  ['Thandiwe Maseko', 'thandiwe.maseko', 'Durban', 'ZA', 'en'],
  ['Rui Shimada', 'rui.shimada', 'Sapporo', 'JP', 'ja'],
  ['Élodie Vasseur', 'elodie.vasseur', 'Lille', 'FR', 'fr'],
  ['Arjun Deshmane', 'arjun.deshmane', 'Pune', 'IN', 'en'],
  ['Freya Thorburn', 'freya.thorburn', 'Edinburgh', 'GB', 'en'],
  ['Nguyễn Thảo Vy', 'thaovy.nguyen', 'Đà Nẵng', 'VN', 'vi'],
  ['Marek Hruška', 'marek.hruska', 'Brno', 'CZ', 'cs'],
  ['Isabela Moreira', 'isabela.moreira', 'Recife', 'BR', 'pt'],
  ['Dmitri Vanags', 'dmitri.vanags', 'Rīga', 'LV', 'lv'],
  ['Fatou Diallo-Sow', 'fatou.diallosow', 'Dakar', 'SN', 'fr'],
  ['Grace Pemberton', 'grace.pemberton', 'London', 'GB', 'en'],
  ['周 雨桐', 'yutong.zhou', '台北', 'TW', 'zh'],
  ['Matthias Oberholz', 'matthias.oberholz', 'München', 'DE', 'de'],
  ['Sofia Kallio', 'sofia.kallio', 'Tampere', 'FI', 'fi'],
  ['Lucas Tremblay-Roy', 'lucas.tremblayroy', 'Montréal', 'CA', 'fr'],
  ['Wanjiru Kamotho', 'wanjiru.kamotho', 'Nairobi', 'KE', 'en'],
  ['Annelies van Damme', 'annelies.vandamme', 'Gent', 'BE', 'nl'],
  ['Joost Terpstra', 'joost.terpstra', 'Utrecht', 'NL', 'nl'],
  ['Malia Keawe', 'malia.keawe', 'Honolulu', 'US', 'en'],
  ['Rania Haddadin', 'rania.haddadin', 'Dubai', 'AE', 'ar'],
  ['Siew Choo Tan', 'siewchoo.tan', 'Penang', 'MY', 'en'],
  ['Elif Karadağ', 'elif.karadag', 'Wien', 'AT', 'de'],
];

const MAIL_DOMAINS = ['example.com', 'example.org', 'example.net'] as const;

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** Number ranges that regulators keep free for fiction. Countries without one have no telephone number on file. */
const FICTIONAL_PHONES: Readonly<Record<string, (position: number) => string>> = {
  US: (position) => `+1 206 555 01${digits(position, 2)}`,
  CA: (position) => `+1 514 555 01${digits(position, 2)}`,
  GB: (position) => `+44 1632 960${digits(100 + position, 3)}`,
  DE: (position) => `+49 30 23125 ${digits(100 + position, 3)}`,
  FR: (position) => `+33 1 99 00 10 ${digits(position, 2)}`,
  SE: (position) => `+46 8 465 004 ${digits(position, 2)}`,
  AU: (position) => `+61 3 5550 10${digits(position, 2)}`,
  IE: (position) => `+353 20 910 01${digits(position, 2)}`,
};

const FIRST_CUSTOMER_NUMBER = 1001;

export const SEED_CUSTOMERS: readonly Customer[] = ROWS.map(([name, mailbox, city, country, language], position) => ({
  id: `C-${FIRST_CUSTOMER_NUMBER + position}`,
  name,
  email: `${mailbox}@${MAIL_DOMAINS[position % MAIL_DOMAINS.length] ?? MAIL_DOMAINS[0]}`,
  phone: FICTIONAL_PHONES[country]?.(position) ?? '',
  city,
  country,
  language,
}));
