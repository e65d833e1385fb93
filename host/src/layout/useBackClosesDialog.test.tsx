/** @jest-environment jsdom */
import { act, render, screen, waitFor } from '@testing-library/react'
import { Drawer, Modal } from 'antd'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom'
import { useBackClosesDialog } from './useBackClosesDialog'

function Page() {
  useBackClosesDialog()
  const [isDrawerOpen, setDrawerOpen] = useState(true)
  const [isModalOpen, setModalOpen] = useState(true)
  return (
    <>
      <output>{useLocation().search}</output>
      <Drawer open={isDrawerOpen} title="交接" onClose={() => setDrawerOpen(false)}>
        3 个未确认
      </Drawer>
      <Modal open={isModalOpen} title="关 3 层的灯" onCancel={() => setModalOpen(false)}>
        将关闭 25 盏
      </Modal>
    </>
  )
}

it('closes the topmost modal or drawer by each Back, and then leaves the page', async () => {
  const router = createMemoryRouter([{ path: '/home', element: <Page /> }], {
    initialEntries: ['/home?scope=2', '/home?scope=3'],
  })
  render(<RouterProvider router={router} />)
  await screen.findByText('将关闭 25 盏')
  const goBack = () => act(() => router.navigate(-1))
  await goBack()
  await waitFor(() => expect(screen.queryByText('将关闭 25 盏')).toBeNull())
  expect(document.querySelectorAll('.ant-drawer-open')).toHaveLength(1)
  await goBack()
  await waitFor(() => expect(document.querySelectorAll('.ant-drawer-open')).toHaveLength(0))
  expect(screen.getByRole('status').textContent).toBe('?scope=3')
  await goBack()
  expect(screen.getByRole('status').textContent).toBe('?scope=2')
})
