import { useAtomValue } from 'jotai'
import { outgoingAtom, type Outgoing } from '../session/outgoing'
import { commandText, type Spoken } from './result'

/** Tells of what a button asks for whether it left and was not answered yet, so that the press shows where it was made. */
export function useOutgoing() {
  const outgoing = useAtomValue(outgoingAtom)
  return (spoken: Spoken): Outgoing['state'] | undefined => {
    const title = commandText(spoken)
    return [...outgoing.values()].find((one) => one.title === title)?.state
  }
}
