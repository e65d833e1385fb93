import { LedgerState } from '@iot/shared/contract/control/control.schema'
import { isFinalState } from './closeLedger'
import { canTransition } from './transitions'

const allowedTransitions = [
  'queued → sent',
  'queued → failed',
  'queued → unknown',
  'queued → overridden',
  'queued → cancelled',
  'sent → delivered',
  'sent → success',
  'sent → failed',
  'sent → timeout',
  'sent → unknown',
  'sent → overridden',
  'delivered → success',
  'delivered → confirmed',
  'delivered → failed',
  'delivered → unknown',
  'delivered → overridden',
  'success → failed',
  'confirmed → success',
  'confirmed → failed',
  'failed → success',
  'failed → failed',
]
const states = LedgerState.options
const everyTransition = states.flatMap((from) =>
  states.map((to) => ({ from, to, name: `${from} → ${to}` })),
)

describe('ledger transitions', () => {
  it.each(everyTransition.filter(({ name }) => allowedTransitions.includes(name)))(
    'allow $name',
    ({ from, to }) => expect(canTransition(from, to)).toBe(true),
  )

  it.each(everyTransition.filter(({ name }) => !allowedTransitions.includes(name)))(
    'forbid $name',
    ({ from, to }) => expect(canTransition(from, to)).toBe(false),
  )

  it('lists every allowed transition among the states of the contract', () => {
    const names = everyTransition.map(({ name }) => name)
    expect(allowedTransitions.filter((name) => !names.includes(name))).toEqual([])
  })

  it('never reopens an entry with a final state', () => {
    const reopening = everyTransition.filter(
      ({ from, to }) => isFinalState(from) && !isFinalState(to) && canTransition(from, to),
    )
    expect(reopening).toEqual([])
  })

  it('gives every open entry a way to a final state', () => {
    const stuckStates = states.filter(
      (from) =>
        !isFinalState(from) && !states.some((to) => isFinalState(to) && canTransition(from, to)),
    )
    expect(stuckStates).toEqual([])
  })
})
