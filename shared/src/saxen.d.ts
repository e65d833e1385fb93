/** The library ships no types; this declares the events that `readXml` uses. */
declare module 'saxen' {
  type Decode = (text: string) => string
  type Listeners = {
    openTag: (name: string, getAttributes: () => Record<string, string>, decode: Decode) => void
    closeTag: (name: string) => void
    text: (text: string, decode: Decode) => void
    cdata: (text: string) => void
    error: (error: Error) => void
  }
  export class Parser {
    on<E extends keyof Listeners>(event: E, listener: Listeners[E]): this
    parse(xml: string): this
  }
}
