/** Pure data: what the made-up customers and Nimbus say, in four languages. Placeholders are written `{name}`. */

export type Language = 'en' | 'de' | 'es' | 'ja';

export const LANGUAGES: readonly Language[] = ['en', 'de', 'es', 'ja'];

/** Opening, details, offer, approval, done; and how the case is taken up again later. */
export interface CaseTexts {
  open: string[];
  found: string;
  details: string;
  offer: string;
  resume: string[];
  approve: string[];
  done: string;
}

export type CaseName = 'refund' | 'address' | 'tracking' | 'warranty' | 'invoice' | 'exchange';

export const CASE_TEXTS: Record<Language, Record<CaseName, CaseTexts>> = {
  en: {
    refund: {
      open: [
        'Hi, I would like my money back for order {order}.',
        'Order {order} was a mistake, can it be refunded?',
        'The blender from order {order} is too loud, I want to return it.',
      ],
      found: 'I found order {order}. It was paid {days} days ago, so it is inside the 14-day window.',
      details: 'What would I get back, and where does it go?',
      offer: 'You would get {amount} back to the payment method of the order. Shall I start the refund?',
      resume: ['About the refund we spoke of: I have thought about it.', 'Back to my money for the return, please.'],
      approve: ['Yes, go ahead.', 'Please do it.', 'OK, do that.'],
      done: 'The refund of {amount} is under way. Your reference is {reference}.',
    },
    address: {
      open: ['I moved. Can you change the delivery address of order {order}?', 'The parcel for {order} must not go to my old flat.'],
      found: 'Order {order} has not left yet, so the address can still be changed.',
      details: 'The new one is 12 Harbour Street, Cork. Does that change the delivery day?',
      offer: 'Delivery would then be on {date}. Shall I change the address to 12 Harbour Street, Cork?',
      resume: ['Is my new address still waiting for an answer from me?', 'One more thing about where the parcel goes.'],
      approve: ['Yes please.', 'Yes, change it.', 'That is fine, go ahead.'],
      done: 'Done, the parcel now goes to 12 Harbour Street. The change has the number {reference}.',
    },
    tracking: {
      open: ['Where is my order {order}?', 'Nothing has arrived yet from {order}.'],
      found: 'Order {order} is with the carrier and should arrive on {date}.',
      details: 'Who is delivering it?',
      offer: 'A parcel service. I can send you the tracking link by e-mail. Would you like that?',
      resume: ['You offered to mail me something about my late parcel.', 'I still have no news of the delivery.'],
      approve: ['Yes, send it please.', 'Please do.'],
      done: 'Sent. The e-mail went out under {reference}.',
    },
    warranty: {
      open: ['My headphones, serial {serial}, stopped charging.', 'The lamp with serial number {serial} flickers.'],
      found: 'Serial {serial} is under warranty until {date}.',
      details: 'Do I have to pay for the way back?',
      offer: 'No, the label is free. Shall I open a warranty case?',
      resume: ['I have packed the broken device now.', 'About the thing that stopped working.'],
      approve: ['Yes, open it.', 'Go ahead please.'],
      done: 'Your warranty case is {reference}.',
    },
    invoice: {
      open: ['I need an invoice for order {order} for my company.', 'Could you make out a bill for {order}?'],
      found: 'There is an invoice for order {order} over {amount}.',
      details: 'It must show our VAT number.',
      offer: 'I can issue a corrected invoice with your VAT number. Shall I?',
      resume: ['Accounting asks about that bill again.', 'Now about the paper for my company.'],
      approve: ['Yes, please correct it.', 'Do it, thanks.'],
      done: 'The corrected invoice is {reference}.',
    },
    exchange: {
      open: ['The jacket from order {order} is too small.', 'I need order {order} in another size.'],
      found: 'Order {order} can be exchanged. Size L is in stock.',
      details: 'Is there a difference in price?',
      offer: 'Size L costs {amount}. Shall I reserve it for you?',
      resume: ['Is the bigger size still there for me?', 'About swapping the jacket.'],
      approve: ['Yes, reserve it.', 'OK, go ahead.'],
      done: 'Reserved for you under {reference}.',
    },
  },
  de: {
    refund: {
      open: ['Hallo, ich möchte Bestellung {order} zurückgeben.', 'Kann ich für {order} mein Geld zurückbekommen?'],
      found: 'Bestellung {order} wurde vor {days} Tagen bezahlt, die Rückgabe ist also noch möglich.',
      details: 'Wie viel bekomme ich zurück?',
      offer: 'Sie erhalten {amount} auf das ursprüngliche Zahlungsmittel. Soll ich die Erstattung auslösen?',
      resume: ['Noch einmal zur Rückgabe von vorhin.', 'Wegen der Erstattung: ich habe es mir überlegt.'],
      approve: ['Ja, bitte.', 'Machen Sie das.'],
      done: 'Die Erstattung über {amount} läuft unter {reference}.',
    },
    address: {
      open: ['Ich bin umgezogen, bitte ändern Sie die Adresse von {order}.'],
      found: 'Bestellung {order} ist noch nicht verschickt, die Adresse lässt sich ändern.',
      details: 'Neu ist Lindenweg 8, Kassel. Wann kommt das Paket dann?',
      offer: 'Dann am {date}. Soll ich die Adresse ändern?',
      resume: ['Zur neuen Anschrift noch eine Frage.'],
      approve: ['Ja, gerne.', 'Ja, ändern Sie sie.'],
      done: 'Erledigt, die Änderung hat die Nummer {reference}.',
    },
    tracking: {
      open: ['Wo bleibt meine Bestellung {order}?'],
      found: 'Bestellung {order} ist unterwegs und kommt voraussichtlich am {date}.',
      details: 'Mit welchem Dienst?',
      offer: 'Mit einem Paketdienst. Soll ich Ihnen den Link schicken?',
      resume: ['Das Paket ist immer noch nicht da.'],
      approve: ['Ja, bitte schicken.'],
      done: 'Verschickt, Vorgang {reference}.',
    },
    warranty: {
      open: ['Mein Kopfhörer mit der Seriennummer {serial} lädt nicht mehr.'],
      found: 'Für {serial} gilt die Garantie bis {date}.',
      details: 'Muss ich den Versand zahlen?',
      offer: 'Nein. Soll ich einen Garantiefall anlegen?',
      resume: ['Das defekte Gerät liegt jetzt verpackt hier.'],
      approve: ['Ja, legen Sie ihn an.'],
      done: 'Ihr Garantiefall ist {reference}.',
    },
    invoice: {
      open: ['Ich brauche eine Rechnung zu {order}.'],
      found: 'Zu Bestellung {order} gibt es eine Rechnung über {amount}.',
      details: 'Unsere Steuernummer fehlt darauf.',
      offer: 'Ich kann sie berichtigen. Soll ich?',
      resume: ['Die Buchhaltung fragt wieder nach dem Beleg.'],
      approve: ['Ja, bitte berichtigen.'],
      done: 'Die berichtigte Rechnung ist {reference}.',
    },
    exchange: {
      open: ['Die Jacke aus {order} ist zu klein.'],
      found: 'Bestellung {order} kann umgetauscht werden, Größe L ist da.',
      details: 'Kostet das mehr?',
      offer: 'Größe L kostet {amount}. Soll ich sie zurücklegen?',
      resume: ['Ist die größere Jacke noch da?'],
      approve: ['Ja, zurücklegen.'],
      done: 'Zurückgelegt unter {reference}.',
    },
  },
  es: {
    refund: {
      open: ['Hola, quiero devolver el pedido {order}.', '¿Me pueden reembolsar el pedido {order}?'],
      found: 'El pedido {order} se pagó hace {days} días, así que todavía se puede devolver.',
      details: '¿Cuánto me devuelven?',
      offer: 'Le devolvemos {amount} al mismo medio de pago. ¿Lo tramito?',
      resume: ['Sobre la devolución de antes.', 'Ya he decidido lo del reembolso.'],
      approve: ['Sí, adelante.', 'Sí, por favor.'],
      done: 'El reembolso de {amount} está en marcha con la referencia {reference}.',
    },
    address: {
      open: ['Me he mudado, cambien la dirección del pedido {order}, por favor.'],
      found: 'El pedido {order} aún no ha salido; se puede cambiar la dirección.',
      details: 'La nueva es Calle Mayor 5, Soria. ¿Cuándo llega entonces?',
      offer: 'Llegaría el {date}. ¿Cambio la dirección?',
      resume: ['Una pregunta más sobre la dirección nueva.'],
      approve: ['Sí, cámbiela.'],
      done: 'Hecho, el cambio es el {reference}.',
    },
    tracking: {
      open: ['¿Dónde está mi pedido {order}?'],
      found: 'El pedido {order} está en camino y llega el {date}.',
      details: '¿Quién lo trae?',
      offer: 'Un servicio de paquetería. ¿Le envío el enlace?',
      resume: ['El paquete sigue sin llegar.'],
      approve: ['Sí, envíelo.'],
      done: 'Enviado, gestión {reference}.',
    },
    warranty: {
      open: ['Mis auriculares con número de serie {serial} ya no cargan.'],
      found: 'El {serial} está en garantía hasta el {date}.',
      details: '¿Tengo que pagar el envío?',
      offer: 'No. ¿Abro un caso de garantía?',
      resume: ['Ya he empaquetado el aparato roto.'],
      approve: ['Sí, ábralo.'],
      done: 'Su caso de garantía es {reference}.',
    },
    invoice: {
      open: ['Necesito una factura del pedido {order}.'],
      found: 'Hay una factura del pedido {order} por {amount}.',
      details: 'Falta nuestro número fiscal.',
      offer: 'Puedo corregirla. ¿Lo hago?',
      resume: ['Contabilidad vuelve a preguntar por el papel.'],
      approve: ['Sí, corríjala.'],
      done: 'La factura corregida es {reference}.',
    },
    exchange: {
      open: ['La chaqueta del pedido {order} me queda pequeña.'],
      found: 'El pedido {order} se puede cambiar; hay talla L.',
      details: '¿Cuesta más?',
      offer: 'La talla L cuesta {amount}. ¿La reservo?',
      resume: ['¿Sigue disponible la talla grande?'],
      approve: ['Sí, resérvela.'],
      done: 'Reservada con {reference}.',
    },
  },
  ja: {
    refund: {
      open: ['注文 {order} を返品して返金してほしいです。', '注文 {order} は間違いでした。返金できますか。'],
      found: '注文 {order} は{days}日前のお支払いですので、まだ返品できます。',
      details: 'いくら戻りますか。',
      offer: '{amount} を元のお支払い方法に返金します。手続きしてよろしいですか。',
      resume: ['さっきの返金の件ですが。', '返品のこと、決めました。'],
      approve: ['はい、お願いします。', 'お願いします。'],
      done: '{amount} の返金を受け付けました。受付番号は {reference} です。',
    },
    address: {
      open: ['引っ越したので、注文 {order} のお届け先を変えてください。'],
      found: '注文 {order} は発送前ですので変更できます。',
      details: '新しい住所は松本市北一丁目です。いつ届きますか。',
      offer: '{date} のお届けになります。変更してよろしいですか。',
      resume: ['新しい住所のことで、もう一つ。'],
      approve: ['はい、変更してください。'],
      done: '変更しました。番号は {reference} です。',
    },
    tracking: {
      open: ['注文 {order} はどこにありますか。'],
      found: '注文 {order} は配送中で、{date} に届く予定です。',
      details: 'どこの会社が届けますか。',
      offer: '宅配便です。追跡のリンクをお送りしましょうか。',
      resume: ['荷物がまだ届きません。'],
      approve: ['はい、送ってください。'],
      done: 'お送りしました。受付番号は {reference} です。',
    },
    warranty: {
      open: ['シリアル番号 {serial} のヘッドホンが充電できません。'],
      found: '{serial} は {date} まで保証期間内です。',
      details: '送料はかかりますか。',
      offer: 'かかりません。保証の手続きを始めましょうか。',
      resume: ['壊れた品物を箱に入れました。'],
      approve: ['はい、始めてください。'],
      done: '保証の受付番号は {reference} です。',
    },
    invoice: {
      open: ['注文 {order} の請求書が必要です。'],
      found: '注文 {order} の請求書は {amount} です。',
      details: '会社の登録番号が入っていません。',
      offer: '訂正した請求書をお出ししましょうか。',
      resume: ['経理からまた書類のことを聞かれました。'],
      approve: ['はい、訂正してください。'],
      done: '訂正した請求書は {reference} です。',
    },
    exchange: {
      open: ['注文 {order} のジャケットが小さいです。'],
      found: '注文 {order} は交換できます。Lサイズの在庫があります。',
      details: '値段は違いますか。',
      offer: 'Lサイズは {amount} です。お取り置きしましょうか。',
      resume: ['大きいサイズはまだありますか。'],
      approve: ['はい、取り置いてください。'],
      done: 'お取り置きしました。番号は {reference} です。',
    },
  },
};

/** Something a customer mentions by the way, and what a colleague may ask about it weeks later. */
export interface Remark {
  said: string;
  reply: string;
  asked: string[];
}

export const REMARKS: readonly Remark[] = [
  {
    said: 'By the way, my neighbour on the second floor takes parcels when I am at work.',
    reply: 'Good to know, I will leave that to the driver.',
    asked: ['Who accepts deliveries when the customer is not at home?', 'Is there a neighbour who takes parcels?'],
  },
  {
    said: 'I bought it as a birthday present for my daughter, she turns nine in March.',
    reply: 'How lovely, I hope she likes it.',
    asked: ['For whom was the gift bought?', 'How old is the customer’s daughter going to be?'],
  },
  {
    said: 'We are painting the kitchen this week, so please no deliveries before Friday.',
    reply: 'Understood, nothing before Friday.',
    asked: ['Why did the customer not want anything delivered early in the week?', 'Which room was being painted?'],
  },
  {
    said: 'I sing in a choir on Tuesdays, so I never pick up the phone then.',
    reply: 'Then we will not call on Tuesdays.',
    asked: ['On which day does the customer have choir?', 'When should nobody phone the customer?'],
  },
  {
    said: 'My old laptop drowned in coffee, that is how I came to order from you.',
    reply: 'Oh dear. I hope the new one stays dry.',
    asked: ['What happened to the previous laptop?'],
  },
  {
    said: 'We just adopted a greyhound called Pixel, he eats every cardboard box.',
    reply: 'Then Pixel will like our packaging.',
    asked: ['What is the name of the customer’s dog?', 'Which animal did they take in?'],
  },
  {
    said: 'I am training for a half marathon in Porto, that is why I needed the shoes quickly.',
    reply: 'Good luck with the race!',
    asked: ['Where is the race the customer prepares for?', 'Why were running shoes urgent?'],
  },
  {
    said: 'My husband is allergic to wool, so nothing knitted please.',
    reply: 'I will keep wool out of the suggestions.',
    asked: ['What is the husband allergic to?'],
  },
  {
    said: 'We run a small guest house with seven rooms, the towels are for that.',
    reply: 'Seven rooms means a lot of towels.',
    asked: ['How many rooms does the guest house have?', 'What were the towels for?'],
  },
  {
    said: 'I wrote a bad review last year because of the courier, but your team made it right.',
    reply: 'Thank you for telling us.',
    asked: ['Why had the customer left a negative review?'],
  },
  {
    said: 'The doorbell is broken, they have to knock at the green gate.',
    reply: 'I will pass that on: knock at the green gate.',
    asked: ['How do couriers reach the customer, since the bell does not work?', 'What colour is the gate?'],
  },
  {
    said: 'I teach chemistry and order the scales for my pupils.',
    reply: 'Then I hope they weigh precisely.',
    asked: ['What subject does the customer teach?', 'Which profession does the customer have?'],
  },
  {
    said: 'My sister Greta will collect the next order, she has my letter.',
    reply: 'Fine, Greta may collect it.',
    asked: ['Who is going to pick up the following order?'],
  },
  {
    said: 'I broke my wrist skiing, so heavy parcels should go to the ground floor.',
    reply: 'Get well soon. Ground floor it is.',
    asked: ['How did the customer get hurt?', 'Why should heavy packages be left downstairs?'],
  },
  {
    said: 'We collect the cardboard for the school theatre, the children build castles from it.',
    reply: 'What a good second life for a box.',
    asked: ['What do the kids make out of old boxes?'],
  },
  {
    said: 'From June on I live in Lyon with my brother.',
    reply: 'Thank you, tell us when the address changes.',
    asked: ['Which city does the customer move to in summer?', 'With whom will the customer be living?'],
  },
  {
    said: 'I prefer e-mail, the phone line on the island is terrible.',
    reply: 'Then we write to you.',
    asked: ['Why does the customer not like to be called?', 'What is the customer’s preferred way to be contacted?'],
  },
  {
    said: 'The piano lamp is for my grandfather, he still plays every evening.',
    reply: 'May it light many evenings.',
    asked: ['Who plays the piano in the customer’s family?'],
  },
  {
    said: 'We got married in September, hence the new surname.',
    reply: 'Congratulations! I have noted the new name.',
    asked: ['Why did the customer’s last name change?', 'In which month was the wedding?'],
  },
  { said: 'I paid half of it with a voucher from my colleagues.', reply: 'A kind present.', asked: ['Where did the voucher come from?'] },
  {
    said: 'Our cellar flooded in the storm, the first freezer was lost there.',
    reply: 'I am sorry to hear that.',
    asked: ['How was the earlier freezer destroyed?', 'What did the flood damage?'],
  },
  {
    said: 'I work nights at the hospital, so mornings are for sleeping.',
    reply: 'We will keep your mornings quiet.',
    asked: ['What are the customer’s working hours?', 'When does the customer sleep?'],
  },
  {
    said: 'The bike trailer is for our twins, they start nursery soon.',
    reply: 'Have a good start at nursery.',
    asked: ['How are the children going to be transported?', 'Who begins nursery?'],
  },
  {
    said: 'I am learning Portuguese, feel free to answer in it one day.',
    reply: 'Com prazer, one day.',
    asked: ['Which language is the customer studying?'],
  },
];

export const SMALL_TALK: readonly [string, string][] = [
  ['Thanks, that helps.', 'You are welcome. Is there anything else?'],
  ['What are your opening hours?', 'We answer from 8 to 20 o’clock, every day.'],
  ['Do you ship abroad?', 'Yes, to all countries of the EU and to Switzerland.'],
  ['Can I pay by instalments?', 'Yes, from 100 euros on, in three parts.'],
  ['Your shop is easy to use, I must say.', 'That is good to hear, thank you.'],
  ['Is the newsletter discount still valid?', 'Yes, until the end of the month.'],
  ['Sorry, the tram was loud. Where were we?', 'No problem, take your time.'],
  ['How do I change my password?', 'Under Account, then Security.'],
  ['Do you have gift wrapping?', 'Yes, in red, blue and plain paper.'],
  ['I am back.', 'Welcome back. What can I do for you?'],
];
