/** @jest-environment jsdom */
import { act, render, screen, waitFor } from '@testing-library/react'
import { Modal } from 'antd'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom'
import { useBackClosesDialog } from './useBackClosesDialog'

function Page() {
  useBackClosesDialog()
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <output>{useLocation().search}</output>
      <Modal open={isOpen} title="关 3 层的灯" onCancel={() => setOpen(false)}>
        将关闭 25 盏
      </Modal>
    </>
  )
}

it('closes the dialog by Back, and leaves the page by the next Back', async () => {
  const router = createMemoryRouter([{ path: '/home', element: <Page /> }], {
    initialEntries: ['/home?scope=2', '/home?scope=3'],
  })
  render(<RouterProvider router={router} />)
  await screen.findByRole('dialog', { name: '关 3 层的灯' })
  await act(() => router.navigate(-1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('status').textContent).toBe('?scope=3')
  await act(() => router.navigate(-1))
  expect(screen.getByRole('status').textContent).toBe('?scope=2')
})
