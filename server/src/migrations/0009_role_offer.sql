CREATE TABLE "role_offer" (
	"role_id" uuid NOT NULL,
	"menu_id" uuid NOT NULL,
	CONSTRAINT "role_offer_role_id_menu_id_pk" PRIMARY KEY("role_id","menu_id")
);
--> statement-breakpoint
ALTER TABLE "role_offer" ADD CONSTRAINT "role_offer_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_offer" ADD CONSTRAINT "role_offer_menu_id_menu_id_fk" FOREIGN KEY ("menu_id") REFERENCES "public"."menu"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- What the version without this table gave: an administrator may have taken some of it away since.
INSERT INTO "role_offer" ("role_id", "menu_id")
SELECT "role"."id", "menu"."id"
FROM "role"
JOIN "menu" ON "menu"."builtin" AND (
	"menu"."route_name" = 'home'
	OR "role"."code" IN ('project-admin', 'operator') AND (
		"menu"."route_name" IN ('deviceAccess', 'deviceAccess.config', 'deviceAccess.config.manufacturer')
		OR "menu"."permission" IN ('deviceAccess:manufacturer:query', 'deviceAccess:manufacturer:export')
	)
	OR "role"."code" = 'project-admin' AND "menu"."permission" IN (
		'deviceAccess:manufacturer:add', 'deviceAccess:manufacturer:edit',
		'deviceAccess:manufacturer:remove', 'deviceAccess:manufacturer:import'
	)
)
WHERE "role"."builtin" AND NOT "role"."everything";
