/** @jest-environment jsdom */
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import Drawer from 'antd/es/drawer'
import Dropdown from 'antd/es/dropdown'
import Modal from 'antd/es/modal'
import Popover from 'antd/es/popover'
import { Select } from '@iot/shared/ui/select'
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
  menu: ({ isOpen, close, children }: DialogProps) => (
    <Dropdown
      open={isOpen}
      trigger={['click']}
      onOpenChange={close}
      destroyOnHidden
      menu={{ items: [{ key: 'all', label: children }] }}
    >
      <button>更多</button>
    </Dropdown>
  ),
  popover: ({ isOpen, close, children }: DialogProps) => (
    <Popover open={isOpen} trigger="click" onOpenChange={close} destroyOnHidden content={children}>
      <button>口令</button>
    </Popover>
  ),
  'list of choices': ({ isOpen, close, children }: DialogProps) => (
    <Select
      autoFocus
      open={isOpen}
      onOpenChange={close}
      notFoundContent={isOpen ? children : undefined}
    />
  ),
  drawer: ({ isOpen, close, children }: DialogProps) => (
    <Drawer open={isOpen} title="关 3 层的灯" onClose={close} destroyOnHidden>
      {children}
    </Drawer>
  ),
}

// The motion of antd's popups calls `flushSync` in an effect, which React reports in development.
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => {}))

it.each(Object.entries(dialogs))(
  'closes a %s by Back, and leaves the page by the next Back',
  async (_, Dialog) => {
    function Page() {
      useBackClosesDialog()
      const [isOpen, setOpen] = useState(false)
      return (
        <>
          <output>{useLocation().search}</output>
          <button onClick={() => setOpen(true)}>打开</button>
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
    fireEvent.click(screen.getByText('打开'))
    await screen.findByText('将关闭 25 盏')
    await act(() => router.navigate(-1))
    await waitFor(() => expect(screen.queryByText('将关闭 25 盏')).toBeNull())
    expect(screen.getByRole('status').textContent).toBe('?scope=3')
    await act(() => router.navigate(-1))
    expect(screen.getByRole('status').textContent).toBe('?scope=2')
  },
)
