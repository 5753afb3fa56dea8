/** Whether an element is in sight or near it, so that hundreds of lists cost no more than the few that are seen. */
import { type RefObject, useEffect, useRef, useState } from 'react'

const margin = '1200px'
const listeners = new WeakMap<Element, (isNear: boolean) => void>()
let observer: IntersectionObserver | undefined

function watch(element: Element, listener: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: margin },
  )
  listeners.set(element, listener)
  observer.observe(element)
  return () => {
    observer?.unobserve(element)
    listeners.delete(element)
  }
}

export interface Near<Box extends HTMLElement> {
  readonly box: RefObject<Box | null>
  readonly isNear: boolean
  /** Its height when it was last near, px; null before that. */
  readonly heightPx: number | null
}

export function useNear<Box extends HTMLElement>(): Near<Box> {
  const box = useRef<Box>(null)
  const [near, setNear] = useState<{ readonly isNear: boolean; readonly heightPx: number | null }>({
    isNear: false,
    heightPx: null,
  })
  useEffect(() => {
    const element = box.current
    if (element === null) return
    return watch(element, (isNear) => {
      // What has the focus stays, wherever it is scrolled to.
      if (!isNear && element.contains(document.activeElement)) return
      const heightPx = element.offsetHeight
      setNear((last) => (last.isNear === isNear ? last : { isNear, heightPx: isNear ? last.heightPx : heightPx }))
    })
  }, [])
  return { box, ...near }
}
