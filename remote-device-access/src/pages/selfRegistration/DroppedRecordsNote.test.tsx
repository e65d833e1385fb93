import { render, screen, waitFor } from '@testing-library/react'
import { call } from '@iot/shared/client/call'
import { DroppedRecordsNote } from './DroppedRecordsNote'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))
const mockedCall = jest.mocked(call)
const createDroppedRows = (productName: string) =>
  [{ productName, count: 7, lastTime: '2026-01-01T00:00:00.000Z' }] as never
const renderNote = (projectId: number, rows: object = {}) => (
  <DroppedRecordsNote key={projectId} projectId={projectId} with={rows} />
)

it('removes the count when it could not be read again', async () => {
  mockedCall.mockResolvedValueOnce(createDroppedRows('灯'))
  const { rerender, container } = render(renderNote(1))
  await screen.findByText(/“灯”因过多已丢弃 7 条/)
  const error = new Error('断了')
  mockedCall.mockRejectedValueOnce(error)
  const printError = jest.spyOn(console, 'error').mockImplementation()
  rerender(renderNote(1))
  await waitFor(() => expect(container.textContent).toBe('；没有读到丢弃了多少条'))
  // `useRequest` prints the error of a request without a handler.
  expect(printError).toHaveBeenCalledWith(error)
  printError.mockRestore()
})

it('shows no count of the former project', async () => {
  mockedCall.mockResolvedValueOnce(createDroppedRows('灯'))
  const { rerender, container } = render(renderNote(1))
  await screen.findByText(/“灯”/)
  mockedCall.mockReturnValueOnce(new Promise(() => {}))
  rerender(renderNote(2))
  expect(container.textContent).toBe('')
})
