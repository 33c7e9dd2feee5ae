/** Pure: the help centre of the demo shop, in Markdown. */
import type { Article } from '../../../shared/shop.ts';

/** id, title, paragraphs. */
const ROWS: readonly (readonly [string, string, string])[] = [
  [
    'refunds',
    'Refunds within 14 days',
    `You can return an order and get a refund within **14 days** of the day you paid; the fourteenth day still counts. You do not have to give a reason.

1. Tell us the order number. We check it at once.
2. We open a refund request, and you send the items back with our returns label.
3. The money goes back to the way you paid, within **5 working days** after the parcel reaches us.

After 14 days a refund is no longer possible. If a product is faulty, the *warranty* still covers it.`,
  ],
  [
    'shipping',
    'Shipping times and costs',
    `Orders leave our warehouse within 1 to 2 working days.

- **Within the EU:** 2 to 5 working days, 4.90 EUR, free from 60 EUR.
- **United Kingdom, Norway, Switzerland:** 4 to 7 working days, 9.90 EUR.
- **Express (EU only):** next working day when you order before 13:00, 12.90 EUR.

You get an e-mail with a tracking link as soon as the parcel is on its way.`,
  ],
  [
    'international-orders',
    'International orders, customs and duties',
    `We deliver to more than 40 countries. Outside the EU delivery takes 7 to 14 working days and costs 19.90 EUR.

Import duties and taxes are **not** included in our prices; the carrier collects them at the door. A parcel that is refused because of duties comes back to us, and we refund the items without the shipping costs.`,
  ],
  [
    'warranty',
    'Warranty and repairs',
    `Every product has a warranty of at least 12 months; electrical devices have 36 months. The exact time is on the product page and on your invoice.

The warranty covers faults in material and manufacture. It does not cover wear, water in devices that are not waterproof, or repairs by others. Send us the order number and a photo or short description, and we repair or replace the product. If neither is possible, you get your money back.`,
  ],
  [
    'account',
    'Your account and your password',
    `To reset your password, choose **Forgot password** on the sign-in page. The link in the e-mail works for 30 minutes.

To change your e-mail address, sign in and open *Account → Profile*; we send a confirmation to the old and to the new address. You can also order as a guest, without an account.`,
  ],
  [
    'privacy',
    'Privacy: your data and how to delete it',
    `We keep what we need to deliver your order: name, address, e-mail, and what you bought. Payment data stays with the payment provider. We never sell data.

You may ask for a **copy of your data** or for its **deletion** at any time; we answer within 30 days. Invoices must be kept for ten years by law and are locked instead of deleted. Conversations with support are deleted after 30 days without activity.`,
  ],
  [
    'payment-methods',
    'Payment methods',
    `We take credit and debit cards, bank transfer, PayPal, Apple Pay, Google Pay and gift cards. Prices are in euros and include VAT for EU countries.

An order is processed when the payment has arrived. For bank transfers this takes 1 to 3 working days; please give the order number as the reference. If a card is declined, nothing is charged: try again or choose another method.`,
  ],
  [
    'damaged-parcel',
    'My parcel arrived damaged',
    `We are sorry! Please tell us within **7 days** of delivery:

- the order number,
- two photos: one of the parcel, one of the damaged item.

Keep the packaging until we answer. We send a replacement free of charge, or refund the item if it is sold out. You do not have to pay for sending the damaged item back.`,
  ],
  [
    'cancel-order',
    'Cancelling an order',
    `While an order is in **processing**, you can cancel it free of charge, and the whole amount goes back to you within 3 working days.

Once the order has been shipped it can no longer be cancelled. Refuse the parcel at the door, or send it back within 14 days for a refund.`,
  ],
  [
    'change-address',
    'Changing the delivery address',
    `You can change the delivery address of an order as long as it is in **processing**. Send us the order number and the complete new address.

After shipping, use the tracking link in our e-mail: most carriers let you choose a pick-up point, a neighbour or another day. A parcel that cannot be delivered comes back to us after 7 days.`,
  ],
  [
    'gift-cards',
    'Gift cards and vouchers',
    `Gift cards arrive by e-mail within a few minutes and are valid for **3 years**. Enter the code in the last step of the checkout. What is left stays on the card, and you can combine up to three cards.

Gift cards cannot be paid out in cash, and an opened gift card cannot be refunded. Lost the e-mail? We can send the code again to the same address.`,
  ],
  [
    'invoices',
    'Invoices and receipts',
    `The invoice comes with the shipping e-mail as a PDF. You also find it under *Account → Orders*.

For an invoice with a company name or a VAT number, tell us before the order is shipped. A sent invoice can be corrected once, within 30 days.`,
  ],
  [
    'returns-label',
    'Returns label: how to send something back',
    `We e-mail the returns label as soon as your refund request is open. Print it, or show the QR code at the parcel shop.

Put the items in the original box if you can, stick the label over the old one, and keep the receipt. Returns are **free** within the EU. From elsewhere you pay the postage yourself. Parcels without our label cannot be matched to your order.`,
  ],
  [
    'contact-hours',
    'Contact and opening hours',
    `Nimbus, our assistant, answers at any hour. Human colleagues are here **Monday to Friday, 8:00 to 18:00**, and on Saturday from 9:00 to 13:00 (Central European Time). On public holidays we are closed.

Ask Nimbus for a human at any time; outside these hours somebody answers on the next working morning.`,
  ],
  [
    'size-exchange',
    'Exchanging a size or colour',
    `Jackets, trousers, boots and gloves can be exchanged for another size or colour within **30 days**, unworn and with the tag. The exchange is free, once per order.

Tell us the order number and the size you need. We keep the new one for you for 10 days and send it when your return is scanned. Size charts are on every product page; between two sizes we recommend the larger one.`,
  ],
  [
    'lost-parcel',
    'Lost parcel: delivered but not there, or no movement',
    `**The tracking says delivered, but you have nothing?** Ask your neighbours and look for a card in the letterbox; sometimes the scan comes a day before the parcel.

**No movement for 5 working days?** Tell us the order number. We start a search with the carrier, which takes up to 8 working days. If the parcel is lost, you choose between a new delivery and your money back.`,
  ],
  [
    'tracking',
    'Tracking: where is my order?',
    `When your order leaves us, its status changes from **processing** to **shipped** and you get an e-mail with a tracking link. The first scan can take 24 hours to appear.

Nimbus can tell you the status of an order when you give its number.`,
  ],
  [
    'missing-item',
    'An item is missing or wrong',
    `Large orders are sometimes sent in two parcels; the shipping e-mail says so. If something is still missing, or you got the wrong item, tell us within **14 days** with the order number and what you received. We send the right item at once, and a label for the wrong one.`,
  ],
  [
    'product-care',
    'Caring for rain wear and wool',
    `Wash rain jackets and trousers at 30 °C without softener, and renew the water-repellent finish twice a year with a spray. Let umbrellas dry open. Merino wool prefers airing; when it must be washed, use a wool programme and dry it flat.`,
  ],
  [
    'discounts',
    'Discount codes and newsletter',
    `The newsletter brings a code for 10 % off your next order, valid for 60 days. One code per order; codes do not apply to gift cards and cannot be added after the order is placed. To leave the newsletter, use the link at the end of any issue.`,
  ],
];

export const SEED_ARTICLES: readonly Article[] = ROWS.map(([id, title, body]) => ({
  id,
  title,
  body: `# ${title}\n\n${body}\n`,
  source: 'seed',
}));
