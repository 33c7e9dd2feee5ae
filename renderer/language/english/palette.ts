// Pure data: words of the command palette; the groups also name the parts of the shortcut sheet.
export const PALETTE = {
  title: 'Commands',
  placeholder: 'What do you want to do? Commands, customers, conversations',
  nothing: (typed: string) => `Nothing is called “${typed}”.`,
  conversations: 'Conversations',
  visitor: 'Visitor',
  groups: {
    go: 'Go to',
    conversation: 'Conversation',
    turn: 'Turn',
    view: 'View',
    app: 'Nimbus Console',
  },
};
