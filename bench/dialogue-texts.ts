/** Pure data: what two friends tell each other over months. Placeholders are written `{name}`; a thread's facts are each said once. */

/** One thing somebody tells, how the other takes it, and what may be asked about it later. */
export interface Thread {
  /** Begins the thread; a question stands at the same place of the list as what it asks for. */
  open: readonly string[];
  /** The other one, asking on. */
  react: readonly string[];
  /** The answer, which needs the thread to be understood. */
  detail: readonly string[];
  /** Questions that `open` answers; `{who}` is the one who tells. */
  askedOpen: readonly string[];
  /** Questions that `detail` answers. */
  askedDetail: readonly string[];
  /** A question that all threads of this kind by one person answer. */
  askedAll: string;
}

export const SLOTS: Readonly<Record<string, readonly string[]>> = {
  place: [
    'Lisbon',
    'Galway',
    'Bergen',
    'Split',
    'Ghent',
    'Cádiz',
    'Tartu',
    'Graz',
    'Leeds',
    'Turin',
    'Aarhus',
    'Gdansk',
    'Kyoto',
    'Quebec',
    'Hobart',
    'Oaxaca',
  ],
  friend: ['Petra', 'Imran', 'Sofia', 'Kwame', 'Lena', 'Mateo', 'Yuki', 'Bruno', 'Aisha', 'Colin', 'Freya', 'Dario'],
  relative: ['sister', 'brother', 'cousin', 'aunt', 'grandmother', 'uncle', 'niece', 'father'],
  animal: ['puppy', 'kitten', 'tortoise', 'rabbit', 'parrot', 'hamster', 'pony', 'gecko'],
  petname: ['Biscuit', 'Pepper', 'Moss', 'Juno', 'Ziggy', 'Olive', 'Clover', 'Tofu'],
  craft: ['pottery', 'weaving', 'woodcarving', 'calligraphy', 'bookbinding', 'knitting', 'glassblowing', 'printmaking'],
  thing: ['bowl', 'scarf', 'spoon', 'notebook', 'lamp', 'blanket', 'vase', 'poster'],
  sport: ['climbing', 'rowing', 'fencing', 'surfing', 'badminton', 'judo', 'skating', 'archery'],
  dish: ['dumplings', 'lentil soup', 'paella', 'rye bread', 'ramen', 'cheesecake', 'curry', 'pierogi'],
  instrument: ['cello', 'accordion', 'ukulele', 'clarinet', 'drums', 'harp', 'trumpet', 'banjo'],
  book: ['Middlemarch', 'Solaris', 'The Leopard', 'Persuasion', 'Kindred', 'Stoner', 'Beloved', 'Emma'],
  injury: ['sprained ankle', 'broken wrist', 'sore knee', 'pulled muscle', 'cracked rib', 'twisted elbow'],
  cause: ['clean rivers', 'literacy', 'the animal shelter', 'cancer research', 'refugee families', 'mental health'],
  plant: ['tomatoes', 'lavender', 'dahlias', 'pumpkins', 'basil', 'sunflowers', 'beans', 'peonies'],
  vehicle: ['van', 'cargo bike', 'scooter', 'motorcycle', 'canoe', 'camper'],
  job: ['bakery', 'museum', 'law firm', 'primary school', 'startup', 'hospital', 'radio station', 'library'],
  feeling: ['nervous', 'thrilled', 'relieved', 'exhausted', 'proud', 'homesick'],
  number: ['three', 'five', 'seven', 'nine', 'twelve', 'fifteen', 'twenty', 'forty'],
  when: ['yesterday', 'last Friday', 'two days ago', 'on the weekend', 'last week', 'this morning'],
  view: ['harbour', 'mountains', 'old town', 'lighthouse', 'vineyards', 'river'],
  weather: ['it rained the whole time', 'the sun never stopped', 'there was fog every morning', 'a storm kept us inside'],
};

export const THREADS: readonly Thread[] = [
  {
    open: ['I finally took that trip to {place} {when}!', 'Guess what, {friend} and I drove to {place} in the old car {when}.'],
    react: ['Wow, lucky you! How was it there?', 'That sounds like a dream. What did you like most?'],
    detail: [
      'Best part was the view over the {view}, although {weather}.',
      '{place} was worth it: a tiny room above the {view}. Only that {weather}.',
    ],
    askedOpen: ['When did {who} travel to {place}?', 'Which town did {who} visit with a car?'],
    askedDetail: ['What could {who} see from the place in {place}?', 'How was the weather during the {place} holiday of {who}?'],
    askedAll: 'Which places has {who} travelled to?',
  },
  {
    open: ['We have a new family member since {when}: a {animal} called {petname}!', 'I adopted a {animal} {when}, the name is {petname}.'],
    react: ['So cute! Does everyone at home get along?', 'Aww! I want pictures. Where does it sleep?'],
    detail: [
      'My {relative} spoils it with {dish}, it has become quite round.',
      '{petname} lies under the {thing} most of the day, next to my {relative}.',
    ],
    askedOpen: ['What is the name of the {animal} {who} took in?', 'What kind of pet is {petname}?'],
    askedDetail: ['Who feeds {petname} too much?', 'Where does {petname} like to rest?'],
    askedAll: 'What pets does {who} have?',
  },
  {
    open: ['I signed up for a {craft} class {when}.', '{friend} talked me into {craft}, we started {when}.'],
    react: ['That is so creative! What are you making?', 'I could never do that. Have you finished anything?'],
    detail: [
      'My first piece is a {thing} for my {relative}, it took {number} hours.',
      'With {craft} you need patience. I made a rather crooked {thing}, it stands next to my bed now.',
    ],
    askedOpen: ['When did {who} begin with {craft}?', 'Which craft course does {who} attend?'],
    askedDetail: ['How long did {who} work on the first object from {craft}?', 'What did {who} make at {craft}?'],
    askedAll: 'What creative hobbies does {who} have?',
  },
  {
    open: ['I ran the charity race for {cause} {when}.', 'Our office raised money for {cause} {when}, I helped to organise it.'],
    react: ['You are amazing. How did it go?', 'Proud of you! Did many people come?'],
    detail: [
      'There were {number} hundred people, and I was {feeling} at the end.',
      '{friend} pulled me through the last mile of the race, I felt {feeling} at the finish.',
    ],
    askedOpen: ['What did the event {who} took part in support?', 'When did {who} collect donations for {cause}?'],
    askedDetail: ['How many people joined the fundraiser for {cause}?', 'How did {who} feel at the finish of the race for {cause}?'],
    askedAll: 'Which causes has {who} supported?',
  },
  {
    open: ['Bad news, I have a {injury} from {sport}.', 'The doctor says it is a {injury}. No more {sport} for a while.'],
    react: ['Oh no! How long will you have to rest?', 'Ouch. Does it hurt a lot?'],
    detail: [
      'At least {number} weeks. My {relative} does the shopping for me.',
      'The {injury} is better since {friend} lent me a special bandage.',
    ],
    askedOpen: ['How did {who} get hurt?', 'What injury did {who} have?'],
    askedDetail: ['Who helped {who} with groceries after the {injury}?', 'What did {friend} lend {who}?'],
    askedAll: 'Which sports does {who} do?',
  },
  {
    open: ['I cooked {dish} for {number} guests {when}.', 'Tried to make {dish} after a recipe of my {relative} {when}.'],
    react: ['Yum! Did they like it?', 'Save some for me next time! Was it hard?'],
    detail: [
      'The secret is to let it stand overnight, {friend} had three plates.',
      'I burned the first batch, the second was perfect with {plant} from the balcony.',
    ],
    askedOpen: ['What meal did {who} prepare for visitors?', 'Whose recipe did {who} follow for {dish}?'],
    askedDetail: ['Who ate a lot of the {dish} {who} made?', 'What went wrong when {who} made {dish}?'],
    askedAll: 'What dishes has {who} cooked?',
  },
  {
    open: [
      'My {relative} gave me a {instrument} {when}, so now I practise every evening.',
      'I joined a band {when}, they needed somebody on the {instrument}.',
    ],
    react: ['The neighbours must love that! What do you play?', 'Since when are you musical? Any concert yet?'],
    detail: [
      'We play in {place} in {number} days and I am {feeling}.',
      'On the {instrument} only children songs so far, {friend} sings along.',
    ],
    askedOpen: ['Which musical instrument did {who} get from the {relative}?', 'In what kind of group does {who} play the {instrument}?'],
    askedDetail: ['Where is the gig in which {who} plays the {instrument}?', 'Who accompanies {who} with singing to the {instrument}?'],
    askedAll: 'Which instruments does {who} play?',
  },
  {
    open: ['I start a new job at a {job} next month!', 'I quit {when}, and the {job} offered me a position at once.'],
    react: ['Congratulations! Are you excited?', 'Big step! What will you do there?'],
    detail: [
      'I am mostly {feeling}. It is {number} minutes from home, by {vehicle}.',
      '{friend} works at the {job} too, that is how I heard of the position.',
    ],
    askedOpen: ['Where will {who} be employed?', 'When did {who} change careers?'],
    askedDetail: ['How does {who} get to work at the {job}?', 'Through whom did {who} find the {job} position?'],
    askedAll: 'Where has {who} worked?',
  },
  {
    open: ['I finished reading {book} {when}.', '{friend} recommended {book}, I could not put it down {when}.'],
    react: ['I have heard of it. Worth my time?', 'Is it not terribly long?'],
    detail: ['It made me cry on the bus near {place}, so yes.', 'The ending of {book} left me {feeling}; I gave my copy to my {relative}.'],
    askedOpen: ['Which novel did {who} complete?', 'Who suggested {book} to {who}?'],
    askedDetail: ['Where was {who} moved to tears by {book}?', 'Who received the copy of {book} from {who}?'],
    askedAll: 'What books has {who} read?',
  },
  {
    open: ['The garden is doing well, I planted {plant} {when}.', 'My {relative} and I put {plant} on the balcony {when}.'],
    react: ['I kill everything green. Any tricks?', 'Nice! Is there enough sun?'],
    detail: [
      'Coffee grounds! And I water them with a {thing} at six in the morning.',
      'Snails ate {number} of the {plant}, so I put copper around the rest.',
    ],
    askedOpen: ['What did {who} grow at home?', 'With whom did {who} plant {plant}?'],
    askedDetail: ['What does {who} use to fertilise the {plant}?', 'What pest attacked the {plant} of {who}?'],
    askedAll: 'What plants does {who} grow?',
  },
  {
    open: ['I bought an old {vehicle} {when}.', 'We found a second-hand {vehicle} online and fetched it {when}.'],
    react: ['Does it still run?', 'What are your plans with it?'],
    detail: [
      'It needs a new coat of paint; {friend} wants to fix the brakes in {place}.',
      'We want to take the {vehicle} to {place} as soon as my {relative} has repaired the lights.',
    ],
    askedOpen: ['What means of transport did {who} purchase?', 'When did {who} get the {vehicle}?'],
    askedDetail: ['Who is going to repair the {vehicle} of {who}?', 'Where does {who} want to travel with the {vehicle}?'],
    askedAll: 'Which vehicles does {who} own?',
  },
  {
    open: ['My {relative} got married {when} and I gave a speech.', 'We celebrated the birthday of my {relative} {when}.'],
    react: ['How lovely! Did you dance?', 'What a day that must have been. Any surprise?'],
    detail: [
      '{friend} played the {instrument} and everyone cried.',
      'There was a birthday cake shaped like a {vehicle}, and I was {feeling}.',
    ],
    askedOpen: ['Whose wedding did {who} speak at?', 'When was the party for the {relative} of {who}?'],
    askedDetail: [
      'Who made music at the celebration for the {relative} of {who}?',
      'What did the birthday cake for the {relative} of {who} look like?',
    ],
    askedAll: 'Which family celebrations did {who} attend?',
  },
];

/** Said and answered, nothing to remember. */
export const CHATTER: readonly (readonly [string, string])[] = [
  ['How have you been? It feels like ages.', 'Busy, but good. It is so nice to hear from you!'],
  ['Work is crazy at the moment.', 'I know the feeling. Take care of yourself, ok?'],
  ['Thanks for always listening, it means a lot.', 'Of course! That is what friends are for.'],
  ['Any plans for the weekend?', 'Nothing special, maybe a long walk and an early night.'],
  ['I really need a holiday soon.', 'Same here. We should plan something together!'],
  ['You always make me laugh.', 'Haha, I do my best. Keep smiling!'],
  ['It is important to take time for the things we love.', 'So true. They keep us going when life gets hard.'],
  ['Let us catch up properly next time.', 'Definitely! Talk to you soon, bye!'],
  ['I took some photos, I will send them later.', 'Great, I can hardly wait to see them.'],
  ['How is the family?', 'Everyone is fine, the kids are growing so fast.'],
  ['Did you sleep well?', 'Not much, the neighbours had a party.'],
  ['That is really inspiring, keep it up!', 'Thank you, your support keeps me motivated.'],
];

export const SPEAKERS: readonly (readonly [string, string])[] = [
  ['Nora', 'Felix'],
  ['Amara', 'Jonas'],
  ['Greta', 'Ravi'],
  ['Lucia', 'Owen'],
  ['Mina', 'Tomas'],
  ['Elif', 'Hugo'],
];
