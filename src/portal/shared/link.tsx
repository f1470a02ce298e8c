import { Anchor, type AnchorProps, Button, type ButtonProps, Menu, type MenuItemProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ComponentProps, Ref } from "react";

type Attributes<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> };

/** Links within the portal, in several styles. */
export const Link = createLink((props: ComponentProps<"a">) => <a {...props} />);
export const AnchorLink = createLink((props: Attributes<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink((props: Attributes<ButtonProps>) => <Button component="a" {...props} />);
export const MenuLink = createLink((props: Attributes<MenuItemProps>) => <Menu.Item component="a" {...props} />);
