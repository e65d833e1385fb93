import { render, screen, waitFor } from '@testing-library/react'
import { call } from '@iot/shared/client/call'
import { Dropped } from './Dropped'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))
const asked = jest.mocked(call)
const of = (productName: string) =>
  [{ productName, count: 7, lastTime: '2026-01-01T00:00:00.000Z' }] as never
const line = (projectId: number, rows: object = {}) => (
  <Dropped key={projectId} projectId={projectId} with={rows} />
)

it('says no number any more where it was not read again', async () => {
  asked.mockResolvedValueOnce(of('灯'))
  const { rerender, container } = render(line(1))
  await screen.findByText(/“灯”因过多已丢弃 7 条/)
  asked.mockRejectedValueOnce(new Error('断了'))
  rerender(line(1))
  await waitFor(() => expect(container.textContent).toBe('；没有读到丢弃了多少条'))
})

it('says nothing of another project', async () => {
  asked.mockResolvedValueOnce(of('灯'))
  const { rerender, container } = render(line(1))
  await screen.findByText(/“灯”/)
  asked.mockReturnValueOnce(new Promise(() => {}))
  rerender(line(2))
  expect(container.textContent).toBe('')
})
