/** A refusal in one sentence, for whoever types the command. */
export class Refused extends Error {}
