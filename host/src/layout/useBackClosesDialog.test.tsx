/** @jest-environment jsdom */
import { act, render, screen, waitFor } from '@testing-library/react'
import Drawer from 'antd/es/drawer'
import Modal from 'antd/es/modal'
import { type ReactNode, useState } from 'react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom'
import { useBackClosesDialog } from './useBackClosesDialog'

type DialogProps = { isOpen: boolean; close: () => void; children: ReactNode }

/** Each dialog has its own test, because antd gives all of them one id where `NODE_ENV` is test. */
const dialogs = {
  modal: ({ isOpen, close, children }: DialogProps) => (
    <Modal open={isOpen} title="关 3 层的灯" onCancel={close} destroyOnHidden>
      {children}
    </Modal>
  ),
  drawer: ({ isOpen, close, children }: DialogProps) => (
    <Drawer open={isOpen} title="关 3 层的灯" onClose={close} destroyOnHidden>
      {children}
    </Drawer>
  ),
}

it.each(Object.entries(dialogs))(
  'closes a %s by Back, and leaves the page by the next Back',
  async (_, Dialog) => {
    function Page() {
      useBackClosesDialog()
      const [isOpen, setOpen] = useState(true)
      return (
        <>
          <output>{useLocation().search}</output>
          <Dialog isOpen={isOpen} close={() => setOpen(false)}>
            将关闭 25 盏
          </Dialog>
        </>
      )
    }
    const router = createMemoryRouter([{ path: '/home', element: <Page /> }], {
      initialEntries: ['/home?scope=2', '/home?scope=3'],
    })
    render(<RouterProvider router={router} />)
    await screen.findByText('将关闭 25 盏')
    await act(() => router.navigate(-1))
    await waitFor(() => expect(screen.queryByText('将关闭 25 盏')).toBeNull())
    expect(screen.getByRole('status').textContent).toBe('?scope=3')
    await act(() => router.navigate(-1))
    expect(screen.getByRole('status').textContent).toBe('?scope=2')
  },
)
