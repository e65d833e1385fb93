import { render, screen } from '@testing-library/react'
import { z } from 'zod'
import { ConflictDialog, mergeRows } from './conflict'

const listSchema = z.array(z.unknown())
const Role = z.object({
  rights: listSchema.meta({ title: '权限' }),
  steps: listSchema.meta({ title: '步骤' }),
  status: z.string().meta({ title: '状态' }),
  shared: z.boolean().meta({ title: '公开' }),
})
const mergeRights = (base: unknown[], mine: unknown[], current: unknown[]) =>
  mergeRows(Role, { rights: base }, { rights: mine }, { rights: current })

describe('lists of choices changed by two users', () => {
  it('are merged without a question when both only added or removed values', () => {
    expect(mergeRights(['a', 'b', 'c'], ['b', 'c', 'd'], ['a', 'b', 'e'])).toEqual({
      taken: { rights: ['b', 'e', 'd'] },
      asked: [],
    })
    expect(mergeRights([1, 2], [2, 1], [1, 2, 3])).toEqual({
      taken: { rights: [1, 2, 3] },
      asked: [],
    })
  })
  it('are asked about when an empty list, which may mean all, is involved', () => {
    for (const [base, mine, current] of [
      [[], ['a'], ['b']],
      [['a'], [], ['a', 'b']],
      [['a'], ['a', 'b'], []],
      [['a', 'b'], ['a'], ['b']],
    ] as const)
      expect(mergeRights([...base], [...mine], [...current]).asked).toEqual(['rights'])
  })
  it('are asked about when order or repetition matters', () => {
    expect(mergeRights([{ on: 1 }], [{ on: 2 }], [{ on: 3 }]).asked).toEqual(['rights'])
    expect(mergeRights(['a', 'a'], ['a'], ['a', 'a', 'b']).asked).toEqual(['rights'])
  })
})

it('shows added and removed values of lists, and the labels of other values', () => {
  const noop = () => {}
  render(
    <ConflictDialog
      schema={Role}
      asked={['steps', 'rights', 'status', 'shared']}
      base={{ steps: [{ n: 1 }, { n: 2 }], rights: ['甲'], status: 'enabled', shared: false }}
      mine={{ steps: [{ n: 1 }, { n: 3 }], rights: [], status: 'disabled', shared: true }}
      current={{
        steps: [{ n: 2 }],
        rights: ['甲', '乙'],
        status: 'enabled',
        shared: false,
        version: 2,
        updateBy: '王工',
      }}
      show={(name, value) =>
        name === 'steps' && (value as { n: number }[]).map(({ n }) => `第 ${n} 步`).join('、')
      }
      onMerge={noop}
      onReload={noop}
      onClose={noop}
    />,
  )
  const radioLabels = screen
    .getAllByRole('radio', { hidden: true })
    .map((radio) => radio.closest('label'))
  expect(radioLabels.map((label) => label?.textContent)).toEqual([
    '我填写的：加了 第 3 步；去掉了 第 2 步',
    '王工的：去掉了 第 1 步',
    '我填写的：—',
    '王工的：加了 乙',
    '我填写的：禁用',
    '王工的：启用',
    '我填写的：是',
    '王工的：否',
  ])
})
