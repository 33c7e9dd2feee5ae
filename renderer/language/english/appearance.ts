// Pure data: words of the appearance settings and of notifications.
export const APPEARANCE = {
  title: 'Appearance',
  theme: 'Theme',
  themes: {
    system: 'As the system',
    light: 'Light',
    dark: 'Dark',
  },
  density: 'Density',
  densityHelp: 'How close rows stand',
  densities: {
    comfortable: 'Comfortable',
    compact: 'Compact',
  },
  textSize: 'Text size',
  textSizes: {
    small: 'Small',
    normal: 'Normal',
    large: 'Large',
    larger: 'Larger',
  },
  language: 'Language',
  languageHelp: 'Of the console; Nimbus answers in the language of the customer',
  notifications: 'Notifications',
  notify: 'Say when Nimbus needs a person',
  notifyHelp: 'A notification of the system while this window is not in front',
  notifyRefused: 'The system does not allow notifications here. Allow them for this page or app in its settings, then try again.',
  notifyUnknown: 'This browser has no notifications.',
  needsYou: (who: string) => `${who} needs a person`,
  visitor: 'A visitor',
};
