import { Parser } from 'saxen'
import { UnreadableFile } from './fileKind'

export type Attributes = Record<string, string>
type XmlHandlers = {
  open?: (name: string, attributes: () => Attributes) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Reads XML as a stream: without a tree in memory, document type definitions or markup in the page. Names are passed
 * without their prefix.
 */
export function readXml(xml: string, { open, close, text }: XmlHandlers) {
  const parser = new Parser()
  parser
    .on('openTag', (name, getAttributes, decode) => {
      open?.(localName(name), () =>
        Object.fromEntries(
          Object.entries(getAttributes()).map(([key, value]) => [localName(key), decode(value)]),
        ),
      )
    })
    .on('closeTag', (name) => close?.(localName(name)))
    .on('text', (value, decode) => text?.(decode(value)))
    .on('cdata', (value) => text?.(value))
    .on('error', () => {
      throw new UnreadableFile('文件已损坏，读不出来')
    })
    .parse(xml)
}
