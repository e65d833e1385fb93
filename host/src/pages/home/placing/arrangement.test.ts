import {
  aligned,
  back,
  begun,
  forth,
  laidOut,
  moved,
  refreshed,
  settled,
  shifted,
  taken,
  unsaved,
} from './arrangement'

const start = () =>
  begun(
    new Map([
      ['a', { x: 0.1, y: 0.1 }],
      ['b', { x: 0.5, y: 0.2 }],
      ['c', null],
    ]),
  )
const to = (id: string, x: number, y = x) => ({ id, to: { x, y } })
const point = (id: string, x: number, y = x) => ({ id, at: { x, y } })

describe('an arrangement', () => {
  it('ignores a device it does not know and a place that is the same', () => {
    const all = start()
    expect(moved(all, [to('x', 0.3), to('a', 0.1)])).toBe(all)
    expect(back(all)).toBe(all)
    expect(forth(all)).toBe(all)
  })
  it('goes back and forth, and forgets what was undone once it goes another way', () => {
    const all = moved(moved(start(), [to('a', 0.3)]), [to('c', 0.4)])
    const one = back(all)
    expect(one.at.get('c')).toBeNull()
    expect(forth(one).at).toEqual(all.at)
    expect(moved(one, [to('b', 0.9)]).undone).toEqual([])
    expect(unsaved(back(one))).toEqual([])
  })
  it('takes nudges of the same devices for one step', () => {
    const all = moved(moved(start(), [to('a', 0.2)], true), [to('a', 0.3)], true)
    expect(all.done).toHaveLength(1)
    expect(back(all).at.get('a')).toEqual({ x: 0.1, y: 0.1 })
    expect(moved(all, [to('b', 0.3)], true).done).toHaveLength(2)
  })
  it('sends from where it was read, and a step back after saving is a change again', () => {
    const all = moved(start(), [to('a', 0.3)])
    expect(unsaved(all)).toEqual([{ id: 'a', from: { x: 0.1, y: 0.1 }, to: { x: 0.3, y: 0.3 } }])
    const saved = settled(all, [to('a', 0.3)])
    expect(unsaved(saved)).toEqual([])
    expect(unsaved(back(saved))).toMatchObject([{ from: { x: 0.3 }, to: { x: 0.1 } }])
  })
  it('keeps what is not saved when it is read anew, so that a colleague’s move is asked', () => {
    const all = moved(start(), [to('a', 0.3)])
    const fresh = new Map([
      ['a', { x: 0.7, y: 0.7 }],
      ['b', { x: 0.8, y: 0.8 }],
    ])
    const again = refreshed(all, fresh, new Map())
    expect(again.at.get('b')).toEqual({ x: 0.8, y: 0.8 })
    expect(again.at.has('c')).toBe(false)
    expect(unsaved(again)).toMatchObject([{ id: 'a', from: { x: 0.1 }, to: { x: 0.3 } }])
  })
  it('keeps the move of a device that left the floor until saving has named it', () => {
    const all = moved(start(), [to('a', 0.3)])
    const without = new Map([['b', { x: 0.5, y: 0.2 }]])
    const again = refreshed(all, without, new Map())
    expect(unsaved(again)).toMatchObject([{ id: 'a', to: { x: 0.3 } }])
    const named = refreshed(again, without, new Map([['a', '已被删除']]))
    expect(unsaved(named)).toEqual([])
    expect(named.at.has('a')).toBe(false)
  })
  it('takes a colleague’s place over, without a way back', () => {
    const all = taken(moved(start(), [to('a', 0.3)]), [to('a', 0.7)])
    expect(unsaved(all)).toEqual([])
    expect(all.done).toEqual([])
  })
  it('begins with what was kept, from where it was then', () => {
    const kept = [
      { id: 'a', from: { x: 0, y: 0 }, to: { x: 0.6, y: 0.6 } },
      { id: 'gone', from: null, to: { x: 0, y: 0 } },
    ]
    const all = begun(start().saved, kept)
    expect(unsaved(all)).toEqual([kept[0]])
    expect(back(all).at.get('a')).toEqual({ x: 0, y: 0 })
  })
})

describe('places', () => {
  it('are aligned to the outermost, and spread between the outermost two', () => {
    const three = [point('a', 0.1), point('b', 0.9), point('c', 0.2)]
    expect(aligned(three, 'left').map((one) => one.to?.x)).toEqual([0.1, 0.1, 0.1])
    expect(aligned(three, 'top').map((one) => one.to?.y)).toEqual([0.1, 0.1, 0.1])
    expect(aligned(three, 'across')).toEqual([to('a', 0.1), to('c', 0.5, 0.2), to('b', 0.9)])
    expect(aligned(three, 'down')).toEqual([to('a', 0.1), to('c', 0.2, 0.5), to('b', 0.9)])
  })
  it('move together and stay on the plan', () => {
    const two = [point('a', 0.1), point('b', 0.9)]
    expect(shifted(two, { x: 0.5, y: -0.5 })).toEqual([to('a', 0.2, 0), to('b', 1, 0.8)])
  })
  it('of many that are dropped lie beside each other, inside', () => {
    const four = laidOut(['a', 'b', 'c', 'd'], { x: 1, y: 0.5 }, { x: 0.1, y: 0.1 })
    expect(four).toEqual([to('a', 0.9, 0.5), to('b', 1, 0.5), to('c', 0.9, 0.6), to('d', 1, 0.6)])
  })
})
