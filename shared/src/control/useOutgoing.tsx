import { useAtomValue } from 'jotai'
import { outgoingAtom, type Outgoing } from '../session/outgoing'
import { commandText, type Spoken } from './result'

/** Returns a function that tells if a button's command is unanswered, so that the button can show it. */
export function useOutgoing() {
  const outgoing = useAtomValue(outgoingAtom)
  return (spoken: Spoken): Outgoing['state'] | undefined => {
    const title = commandText(spoken)
    return [...outgoing.values()].find((one) => one.title === title)?.state
  }
}
