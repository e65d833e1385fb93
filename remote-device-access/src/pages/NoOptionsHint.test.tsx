import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { NoOptionsHint } from './NoOptionsHint'

jest.mock('@iot/shared/session/can', () => ({ useCan: () => () => true }))

it('links to the page that creates options, while the form keeps its input', () => {
  render(
    <MemoryRouter>
      <NoOptionsHint
        rowLabel="品牌"
        page={{ title: '品牌管理', path: '/brands' }}
        createEndpoint={brandApi.create}
      />
    </MemoryRouter>,
  )
  const link = screen.getByRole('link', { name: '品牌管理' })
  expect(link.getAttribute('target')).toBe('_blank')
})
