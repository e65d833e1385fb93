import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { brandApi } from '@iot/shared/contract/brand'
import { NoneYet } from './NoneYet'

jest.mock('@iot/shared/session/can', () => ({ useCan: () => () => true }))

it('leads to where it is made beside the form, which keeps what was typed', () => {
  render(
    <MemoryRouter>
      <NoneYet of="品牌" at={{ title: '品牌管理', path: '/brands' }} to={brandApi.create} />
    </MemoryRouter>,
  )
  const link = screen.getByRole('link', { name: '品牌管理' })
  expect(link.getAttribute('target')).toBe('_blank')
})
