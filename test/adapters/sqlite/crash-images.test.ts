/** A power cut at any moment: 24 images here, 200 in `npm run test:deep`. */
import { expect, test } from 'vitest'
import { sequence } from '../../program/sequence.ts'
import { crashImages } from './crash-images.ts'
import { freshFolder } from './ground.ts'

const images = process.env.POINTSMAN_DEEP === undefined ? 24 : 200

test.skipIf(process.platform !== 'linux')(
  `F35 ${images} images of a power cut open undamaged, with every synced change and nothing half`,
  async () => {
    const figures = await crashImages(freshFolder(), images, sequence(7))
    expect(figures).toEqual({ ...figures, images, wrong: [] })
    expect(figures.torn).toBeGreaterThan(images / 2)
    expect(figures.acknowledged).toBeGreaterThan(20)
  },
)
