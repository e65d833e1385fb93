import {
  alignDevices,
  undo,
  createArrangement,
  redo,
  layOutInGrid,
  moveDevices,
  mergeFreshPositions,
  markSaved,
  shiftDevices,
  adoptPositions,
  listUnsavedMoves,
} from './arrangement'

const createThreeDevices = () =>
  createArrangement(
    new Map([
      ['a', { x: 0.1, y: 0.1 }],
      ['b', { x: 0.5, y: 0.2 }],
      ['c', null],
    ]),
  )
const createTarget = (id: string, x: number, y = x) => ({ id, to: { x, y } })
const createPoint = (id: string, x: number, y = x) => ({ id, at: { x, y } })

describe('an arrangement', () => {
  it('ignores an unknown device and an unchanged position', () => {
    const all = createThreeDevices()
    expect(moveDevices(all, [createTarget('x', 0.3), createTarget('a', 0.1)])).toBe(all)
    expect(undo(all)).toBe(all)
    expect(redo(all)).toBe(all)
  })
  it('undoes and redoes, and clears the redo stack after a new move', () => {
    const all = moveDevices(moveDevices(createThreeDevices(), [createTarget('a', 0.3)]), [
      createTarget('c', 0.4),
    ])
    const undoneOnce = undo(all)
    expect(undoneOnce.at.get('c')).toBeNull()
    expect(redo(undoneOnce).at).toEqual(all.at)
    expect(moveDevices(undoneOnce, [createTarget('b', 0.9)]).undone).toEqual([])
    expect(listUnsavedMoves(undo(undoneOnce))).toEqual([])
  })
  it('merges consecutive nudges of the same devices into one undo step', () => {
    const all = moveDevices(
      moveDevices(createThreeDevices(), [createTarget('a', 0.2)], true),
      [createTarget('a', 0.3)],
      true,
    )
    expect(all.done).toHaveLength(1)
    expect(undo(all).at.get('a')).toEqual({ x: 0.1, y: 0.1 })
    expect(moveDevices(all, [createTarget('b', 0.3)], true).done).toHaveLength(2)
  })
  it('sends moves from the loaded position, and an undo after saving is a new move', () => {
    const all = moveDevices(createThreeDevices(), [createTarget('a', 0.3)])
    expect(listUnsavedMoves(all)).toEqual([
      { id: 'a', from: { x: 0.1, y: 0.1 }, to: { x: 0.3, y: 0.3 } },
    ])
    const savedArrangement = markSaved(all, [createTarget('a', 0.3)])
    expect(listUnsavedMoves(savedArrangement)).toEqual([])
    expect(listUnsavedMoves(undo(savedArrangement))).toMatchObject([
      { from: { x: 0.3 }, to: { x: 0.1 } },
    ])
  })
  it("keeps unsaved moves on reload, so that a colleague's move causes a conflict", () => {
    const all = moveDevices(createThreeDevices(), [createTarget('a', 0.3)])
    const fresh = new Map([
      ['a', { x: 0.7, y: 0.7 }],
      ['b', { x: 0.8, y: 0.8 }],
    ])
    const refreshedArrangement = mergeFreshPositions(all, fresh, new Map())
    expect(refreshedArrangement.at.get('b')).toEqual({ x: 0.8, y: 0.8 })
    expect(refreshedArrangement.at.has('c')).toBe(false)
    expect(listUnsavedMoves(refreshedArrangement)).toMatchObject([
      { id: 'a', from: { x: 0.1 }, to: { x: 0.3 } },
    ])
  })
  it('keeps the move of a removed device until the save has reported it', () => {
    const all = moveDevices(createThreeDevices(), [createTarget('a', 0.3)])
    const positionsWithoutDevice = new Map([['b', { x: 0.5, y: 0.2 }]])
    const refreshedArrangement = mergeFreshPositions(all, positionsWithoutDevice, new Map())
    expect(listUnsavedMoves(refreshedArrangement)).toMatchObject([{ id: 'a', to: { x: 0.3 } }])
    const afterRefusal = mergeFreshPositions(
      refreshedArrangement,
      positionsWithoutDevice,
      new Map([['a', '已被删除']]),
    )
    expect(listUnsavedMoves(afterRefusal)).toEqual([])
    expect(afterRefusal.at.has('a')).toBe(false)
  })
  it("adopts a colleague's position without an undo step", () => {
    const all = adoptPositions(moveDevices(createThreeDevices(), [createTarget('a', 0.3)]), [
      createTarget('a', 0.7),
    ])
    expect(listUnsavedMoves(all)).toEqual([])
    expect(all.done).toEqual([])
  })
  it('restores a draft with the positions it started from', () => {
    const storedMoves = [
      { id: 'a', from: { x: 0, y: 0 }, to: { x: 0.6, y: 0.6 } },
      { id: 'gone', from: null, to: { x: 0, y: 0 } },
    ]
    const all = createArrangement(createThreeDevices().saved, storedMoves)
    expect(listUnsavedMoves(all)).toEqual([storedMoves[0]])
    expect(undo(all).at.get('a')).toEqual({ x: 0, y: 0 })
  })
})

describe('positions', () => {
  it('are aligned to the outermost device, and distributed between the outermost two', () => {
    const three = [createPoint('a', 0.1), createPoint('b', 0.9), createPoint('c', 0.2)]
    expect(alignDevices(three, 'left').map((device) => device.to?.x)).toEqual([0.1, 0.1, 0.1])
    expect(alignDevices(three, 'top').map((device) => device.to?.y)).toEqual([0.1, 0.1, 0.1])
    expect(alignDevices(three, 'across')).toEqual([
      createTarget('a', 0.1),
      createTarget('c', 0.5, 0.2),
      createTarget('b', 0.9),
    ])
    expect(alignDevices(three, 'down')).toEqual([
      createTarget('a', 0.1),
      createTarget('c', 0.2, 0.5),
      createTarget('b', 0.9),
    ])
  })
  it('move together and stay on the plan', () => {
    const two = [createPoint('a', 0.1), createPoint('b', 0.9)]
    expect(shiftDevices(two, { x: 0.5, y: -0.5 })).toEqual([
      createTarget('a', 0.2, 0),
      createTarget('b', 1, 0.8),
    ])
  })
  it('of several dropped devices lie side by side within the plan', () => {
    const four = layOutInGrid(['a', 'b', 'c', 'd'], { x: 1, y: 0.5 }, { x: 0.1, y: 0.1 })
    expect(four).toEqual([
      createTarget('a', 0.9, 0.5),
      createTarget('b', 1, 0.5),
      createTarget('c', 0.9, 0.6),
      createTarget('d', 1, 0.6),
    ])
  })
})
