// Made of docs/openapi.json by `npm run openapi`: it is not to be changed by hand.

export interface paths {
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description The users of the workspace, in order of creation.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the user behind the API key
         * @description Every key belongs to one user, and may do what this user may.
         */
        get: operations["getCurrentUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description A user who was removed from the workspace is not found.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups
         * @description The groups that the caller can see, in order of creation.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Create a group
         * @description The caller becomes its admin by a membership of their own.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{groupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a group
         * @description Making a public group private gives the caller an admin membership.
         */
        patch: operations["updateGroup"];
        trace?: never;
    };
    "/v1/groups/{groupId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a group
         * @description Of a private group its members, of a public one every user with the role that counts; in order of the users.
         */
        get: operations["listGroupMembers"];
        put?: never;
        /**
         * Add a member to a group
         * @description A member that is there already gets the new role.
         */
        post: operations["addGroupMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{groupId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from a group
         * @description In a public group the user has the role admin again.
         */
        delete: operations["removeGroupMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description The last admin of a private group stays one.
         */
        patch: operations["updateGroupMember"];
        trace?: never;
    };
    "/v1/groups/{groupId}/object-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the object types of a group
         * @description In order of creation. Each name stands in paths as `{objectType}`, and as `{entityType}` of custom fields.
         */
        get: operations["listGroupObjectTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{groupId}/custom-fields/{entityType}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom fields of an entity type
         * @description In order of creation. Selects have options, numeric fields a config.
         */
        get: operations["listGroupCustomFields"];
        put?: never;
        /**
         * Define a custom field
         * @description An objectField on person or company registers an object type of its name in the group.
         */
        post: operations["createGroupCustomField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a custom field
         * @description By the name that it has now: the old name of a renamed field is not found.
         */
        get: operations["getGroupCustomField"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a custom field
         * @description A rename keeps the values. Options are removed, then updated, then added; a removed option leaves the values too.
         */
        patch: operations["updateGroupCustomField"];
        trace?: never;
    };
    "/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people
         * @description In order of creation, as far as the caller sees them. Filters see no more than that.
         */
        get: operations["listPeople"];
        put?: never;
        /**
         * Create a person
         * @description Fields that are left out are unset. Writing into a group needs the role contributor there.
         */
        post: operations["createPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{personId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a person
         * @description The id of a record that was merged into another gives the other.
         */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        /**
         * Delete a person
         * @description Its values in groups go with it, and every link to it.
         */
        delete: operations["deletePerson"];
        options?: never;
        head?: never;
        /**
         * Update a person
         * @description Absent fields stay as they are, lists replace, values of custom fields merge field by field.
         */
        patch: operations["updatePerson"];
        trace?: never;
    };
    "/v1/people/batch/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many people
         * @description Up to 100 records. Each succeeds or fails by itself, and has a result in its place.
         */
        post: operations["batchCreatePeople"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/batch/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update many people
         * @description Records for the same id become one update, in request order.
         */
        post: operations["batchUpdatePeople"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many people
         * @description Up to 100 records. Each succeeds or fails by itself, and has a result in its place.
         */
        post: operations["batchDeletePeople"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search people
         * @description The list with its filters in the body, for filters that are too long for a URL.
         */
        post: operations["searchPeople"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people/{personId}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge people
         * @description Empty fields are filled, lists, groups and values united. The merged ids stay valid as names of the survivor.
         */
        post: operations["mergePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List companies
         * @description In order of creation, as far as the caller sees them. Filters see no more than that.
         */
        get: operations["listCompanies"];
        put?: never;
        /**
         * Create a company
         * @description A name that another company has updates that company instead; groups are then only added.
         */
        post: operations["createCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/companies/{companyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a company
         * @description The id of a record that was merged into another gives the other.
         */
        get: operations["getCompany"];
        put?: never;
        post?: never;
        /**
         * Delete a company
         * @description Its values in groups go with it, and every link to it.
         */
        delete: operations["deleteCompany"];
        options?: never;
        head?: never;
        /**
         * Update a company
         * @description Absent fields stay as they are, lists replace, values of custom fields merge field by field.
         */
        patch: operations["updateCompany"];
        trace?: never;
    };
    "/v1/companies/batch/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many companies
         * @description Up to 100 records. Each succeeds or fails by itself, and has a result in its place.
         */
        post: operations["batchCreateCompanies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/companies/batch/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update many companies
         * @description Records for the same id become one update, in request order.
         */
        post: operations["batchUpdateCompanies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/companies/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many companies
         * @description Up to 100 records. Each succeeds or fails by itself, and has a result in its place.
         */
        post: operations["batchDeleteCompanies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/companies/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search companies
         * @description The list with its filters in the body, for filters that are too long for a URL.
         */
        post: operations["searchCompanies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/companies/{companyId}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge companies
         * @description Empty fields are filled, lists, groups and values united. The merged ids stay valid as names of the survivor.
         */
        post: operations["mergeCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{groupId}/{objectType}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List objects
         * @description In order of creation, as far as the caller sees them. Filters see no more than that.
         */
        get: operations["listDeals"];
        put?: never;
        /**
         * Create an object
         * @description Fields that are left out are unset. Writing into a group needs the role contributor there.
         */
        post: operations["createDeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{groupId}/{objectType}/{objectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an object
         * @description The id of a record that was merged into another gives the other.
         */
        get: operations["getDeal"];
        put?: never;
        post?: never;
        /**
         * Delete an object
         * @description Its values in groups go with it, and every link to it.
         */
        delete: operations["deleteDeal"];
        options?: never;
        head?: never;
        /**
         * Update an object
         * @description Absent fields stay as they are, lists replace, values of custom fields merge field by field.
         */
        patch: operations["updateDeal"];
        trace?: never;
    };
    "/v1/groups/{groupId}/{objectType}/batch/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many objects
         * @description Up to 100 records. Each succeeds or fails by itself, and has a result in its place.
         */
        post: operations["batchCreateDeals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{groupId}/{objectType}/batch/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update many objects
         * @description Records for the same id become one update, in request order.
         */
        post: operations["batchUpdateDeals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{groupId}/{objectType}/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many objects
         * @description Up to 100 records. Each succeeds or fails by itself, and has a result in its place.
         */
        post: operations["batchDeleteDeals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{groupId}/{objectType}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search objects
         * @description The list with its filters in the body, for filters that are too long for a URL.
         */
        post: operations["searchDeals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{groupId}/{objectType}/{objectId}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge objects
         * @description Empty fields are filled, lists, groups and values united. The merged ids stay valid as names of the survivor.
         */
        post: operations["mergeDeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notes
         * @description In order of creation.
         */
        get: operations["listNotes"];
        put?: never;
        /**
         * Create a note
         * @description Fields that are left out are unset.
         */
        post: operations["createNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notes/{noteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a note
         * @description An id of another workspace names nothing.
         */
        get: operations["getNote"];
        put?: never;
        post?: never;
        /**
         * Delete a note
         * @description Its id names nothing afterwards.
         */
        delete: operations["deleteNote"];
        options?: never;
        head?: never;
        /**
         * Update a note
         * @description Fields that are left out stay as they are.
         */
        patch: operations["updateNote"];
        trace?: never;
    };
    "/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description In order of creation.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Create a task
         * @description Fields that are left out are unset.
         */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a task
         * @description An id of another workspace names nothing.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        /**
         * Delete a task
         * @description Its id names nothing afterwards.
         */
        delete: operations["deleteTask"];
        options?: never;
        head?: never;
        /**
         * Update a task
         * @description Fields that are left out stay as they are.
         */
        patch: operations["updateTask"];
        trace?: never;
    };
    "/v1/tasks/{taskId}/mark-as-done": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a task as done
         * @description A task that repeats is followed by the next one. Of a completed one only the time changes.
         */
        post: operations["markAsDone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{taskId}/mark-as-todo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a task as to do
         * @description A completed one is open again. The next one that completing it has made stays.
         */
        post: operations["markAsTodo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{taskId}/mark-as-to-do": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a task as to do
         * @description A completed one is open again. The next one that completing it has made stays.
         */
        post: operations["markAsTodoAlias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reminders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reminders
         * @deprecated
         * @description In order of creation.
         *
         *     Use /v1/tasks, which shows the same records. Reminders go away on 2027-02-13.
         */
        get: operations["listReminders"];
        put?: never;
        /**
         * Create a reminder
         * @deprecated
         * @description Fields that are left out are unset.
         *
         *     Use /v1/tasks, which shows the same records. Reminders go away on 2027-02-13.
         */
        post: operations["createReminder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reminders/{reminderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a reminder
         * @deprecated
         * @description An id of another workspace names nothing.
         *
         *     Use /v1/tasks, which shows the same records. Reminders go away on 2027-02-13.
         */
        get: operations["getReminder"];
        put?: never;
        post?: never;
        /**
         * Delete a reminder
         * @deprecated
         * @description Its id names nothing afterwards.
         *
         *     Use /v1/tasks, which shows the same records. Reminders go away on 2027-02-13.
         */
        delete: operations["deleteReminder"];
        options?: never;
        head?: never;
        /**
         * Update a reminder
         * @deprecated
         * @description Fields that are left out stay as they are.
         *
         *     Use /v1/tasks, which shows the same records. Reminders go away on 2027-02-13.
         */
        patch: operations["updateReminder"];
        trace?: never;
    };
    "/v1/interactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List interactions
         * @description Past ones newest first, upcoming ones soonest first; with one person or company, or all of the workspace. Logged ones are always in the list.
         */
        get: operations["listInteractions"];
        put?: never;
        /**
         * Log an interaction
         * @description With a person or a company, by the caller.
         */
        post: operations["createInteraction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interactions/past": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List past interactions
         * @deprecated
         * @description Those with one person or company, in pages of 30.
         *
         *     Use GET /v1/interactions with timeframe=past or timeframe=upcoming. This list goes away on 2027-03-29.
         */
        get: operations["listPastInteractions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interactions/upcoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List upcoming interactions
         * @deprecated
         * @description Those with one person or company, in pages of 30.
         *
         *     Use GET /v1/interactions with timeframe=past or timeframe=upcoming. This list goes away on 2027-03-29.
         */
        get: operations["listUpcomingInteractions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interactions/{interactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an interaction
         * @description The body of a mail and the transcript of a call are told here only.
         */
        get: operations["getInteraction"];
        put?: never;
        post?: never;
        /**
         * Delete an interaction
         * @description A logged one.
         */
        delete: operations["deleteInteraction"];
        options?: never;
        head?: never;
        /**
         * Update an interaction
         * @description A logged one. Fields that are left out stay as they are.
         */
        patch: operations["updateInteraction"];
        trace?: never;
    };
    "/v1/people/{personId}/enrich": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrich a person
         * @description Empty fields of the person are filled with what is found. Costs a credit when it is completed.
         */
        post: operations["createEnrichment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/enrichments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List enrichments
         * @description In order of creation.
         */
        get: operations["listEnrichments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/enrichments/{enrichmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an enrichment
         * @description An id of another workspace names nothing.
         */
        get: operations["getEnrichment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the credits
         * @description What is left of the credits that enrichments cost, and what was used.
         */
        get: operations["getCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Your own, and all of the workspace for its admins, in order of creation. An admin sees another user's webhook without the entries whose filter names a group, an object type or a custom field that the admin does not see.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description This answer alone has the `signingSecret`. Events from now on are sent.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description An admin sees another user's webhook without the entries whose filter names a group, an object type or a custom field that the admin does not see.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description What was still to be sent is not sent any more.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Fields that are left out stay as they are. While it is inactive it is sent nothing. An admin who changes target or events of another user's webhook becomes its owner.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret of a webhook
         * @description For 24 hours deliveries are signed with the old secret too. This answer alone has the new one. An admin who does it to another user's webhook becomes its owner.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a webhook
         * @description Sends an event `webhook.test` about the webhook itself, and answers the pending delivery.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a webhook
         * @description The newest first, those of events that you see. They are kept for 30 days. A page may have fewer than `limit` although there is a next one.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Answers the new delivery, which sends the same event with the same `webhook-id`.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events since a time again
         * @description Those to which the webhook subscribes and that its owner sees, 20,000 events at most.
         */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description What happened to records, notes and reminders, in the order in which it was committed, oldest first. Each page has a cursor to go on from, the last one too.
         *
         *     With `Accept: text/event-stream` the answer stays open and tells events as they are committed. It begins behind the id in `Last-Event-ID`, else at `cursor`, `since`, or now.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/request-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last requests
         * @description The newest first: those of the caller, and for an admin of the workspace those of all its users. The last 1000 of a workspace are kept, and a request is in the list a second after its answer.
         */
        get: operations["listRequestLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "person.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person was made
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receivePersonCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "person.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fields, companies or custom values of a person changed
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receivePersonUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "person.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person was deleted, or merged into another one
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receivePersonDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "person.groups_updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person was added to groups or taken out of some
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receivePersonGroupsUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "person.workspace_interaction_metadata_updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Counts or times of the workspace's interactions with a person changed
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receivePersonWorkspaceInteractionMetadataUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "company.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A company was made
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveCompanyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "company.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fields or custom values of a company changed
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveCompanyUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "company.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A company was deleted, or merged into another one
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveCompanyDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "company.groups_updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A company was added to groups or taken out of some
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveCompanyGroupsUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "object.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An object of any type was made
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveObjectCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "object.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The name, links or custom values of an object changed
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveObjectUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "object.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An object was deleted, or merged into another one
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveObjectDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "note.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A note was made
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveNoteCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "note.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The content or visibility of a note changed
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveNoteUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "note.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A note was deleted, by itself or with its record
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveNoteDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "reminder.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A reminder was made
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveReminderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "reminder.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A reminder changed
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveReminderUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "reminder.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A reminder was deleted, by itself or with its record
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveReminderDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "reminder.triggered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A reminder has fired
         * @description The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.
         */
        post: operations["receiveReminderTriggered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Author: {
            /** @enum {string} */
            type: "user" | "assistant";
            /** @description usr_ and a uuid */
            id?: string;
            fullName?: string;
            email?: string;
            deleted?: boolean;
        };
        BatchCompanyCreate: {
            /**
             * @description White space at both ends is removed
             * @example Difference Engines
             */
            name: string;
            /** @example Makes engines. */
            description?: string;
            /**
             * @description A number or a numeric text of at most 38 digits, 10 of them after the point
             * @example 1500000
             */
            fundingRaised?: string | number | null;
            /**
             * Format: date
             * @example 2026-01-15
             */
            lastFundingDate?: string | null;
            /** @example Software */
            industry?: string | null;
            /**
             * @description A whole number from 1000 to 2100, or its digits as a text
             * @example 1999
             */
            foundationYear?: string | number | null;
            employeeRange?: ("1-10" | "11-50" | "51-200" | "201-500" | "501-1000" | "1001-5000" | "5001-10000" | "10000+") | null;
            groups?: components["schemas"]["GroupReference"][];
            /**
             * @example [
             *       "1 Main Street"
             *     ]
             */
            addresses?: string[];
            /**
             * @example [
             *       "info@example.com"
             *     ]
             */
            emails?: string[];
            /**
             * @example [
             *       "+1 202 555 0100"
             *     ]
             */
            phones?: string[];
            /**
             * @example [
             *       "https://example.com"
             *     ]
             */
            urls?: string[];
            customFieldValues?: components["schemas"]["CustomFieldValuesByGroupInput"];
        };
        BatchCompanyUpdate: {
            /** @description com_ and a uuid */
            id: string;
            /**
             * @description White space at both ends is removed
             * @example Difference Engines
             */
            name?: string;
            /** @example Makes engines. */
            description?: string;
            /**
             * @description A number or a numeric text of at most 38 digits, 10 of them after the point
             * @example 1500000
             */
            fundingRaised?: string | number | null;
            /**
             * Format: date
             * @example 2026-01-15
             */
            lastFundingDate?: string | null;
            /** @example Software */
            industry?: string | null;
            /**
             * @description A whole number from 1000 to 2100, or its digits as a text
             * @example 1999
             */
            foundationYear?: string | number | null;
            employeeRange?: ("1-10" | "11-50" | "51-200" | "201-500" | "501-1000" | "1001-5000" | "5001-10000" | "10000+") | null;
            groups?: components["schemas"]["GroupReference"][];
            /**
             * @example [
             *       "1 Main Street"
             *     ]
             */
            addresses?: string[];
            /**
             * @example [
             *       "info@example.com"
             *     ]
             */
            emails?: string[];
            /**
             * @example [
             *       "+1 202 555 0100"
             *     ]
             */
            phones?: string[];
            /**
             * @example [
             *       "https://example.com"
             *     ]
             */
            urls?: string[];
            customFieldValues?: components["schemas"]["CustomFieldValuesByGroupInput"];
        };
        BatchDealCreate: {
            /** @example Difference engine */
            name: string;
            companies?: components["schemas"]["CompanyReference"][];
            people?: components["schemas"]["PersonReference"][];
            customFieldValues?: components["schemas"]["CustomFieldValuesInput"];
        };
        BatchDealUpdate: {
            /** @description obj_ and a uuid */
            id: string;
            /** @example Difference engine */
            name?: string;
            companies?: components["schemas"]["CompanyReference"][];
            people?: components["schemas"]["PersonReference"][];
            customFieldValues?: components["schemas"]["CustomFieldValuesInput"];
        };
        BatchFailure: {
            /** @enum {string} */
            status: "failed";
            error: {
                /** @enum {string} */
                code: "NOT_FOUND" | "FORBIDDEN" | "UNPROCESSABLE_ENTITY";
                message: string;
                /** Format: uri */
                documentationUrl: string;
                details?: components["schemas"]["ValidationDetails"];
            };
        };
        BatchPersonCreate: {
            /** @example Ada */
            firstName?: string;
            /** @example Lovelace */
            lastName?: string;
            /** @example Ada Lovelace */
            fullName?: string;
            /** @example Wrote the first program. */
            description?: string;
            /**
             * @description A date YYYY-MM-DD. An empty text clears it, as null does
             * @example 1990-02-28
             */
            birthday?: string | null;
            gender?: ("Male" | "Female" | "Other" | "Unknown") | null;
            /** @example Analyst */
            jobTitle?: string;
            groups?: components["schemas"]["GroupReference"][];
            companies?: components["schemas"]["PersonCompanyNameOrReference"][];
            /**
             * @example [
             *       "12 St James's Square, London"
             *     ]
             */
            addresses?: string[];
            /**
             * @example [
             *       "ada@example.com"
             *     ]
             */
            emails?: string[];
            /**
             * @example [
             *       "+44 20 7946 0000"
             *     ]
             */
            phones?: string[];
            /**
             * @example [
             *       "https://example.com/ada"
             *     ]
             */
            urls?: string[];
            customFieldValues?: components["schemas"]["CustomFieldValuesByGroupInput"];
        };
        BatchPersonUpdate: {
            /** @description per_ and a uuid */
            id: string;
            /** @example Ada */
            firstName?: string;
            /** @example Lovelace */
            lastName?: string;
            /** @example Ada Lovelace */
            fullName?: string;
            /** @example Wrote the first program. */
            description?: string;
            /**
             * @description A date YYYY-MM-DD. An empty text clears it, as null does
             * @example 1990-02-28
             */
            birthday?: string | null;
            gender?: ("Male" | "Female" | "Other" | "Unknown") | null;
            /** @example Analyst */
            jobTitle?: string;
            groups?: components["schemas"]["GroupReference"][];
            companies?: components["schemas"]["PersonCompanyNameOrReference"][];
            /**
             * @example [
             *       "12 St James's Square, London"
             *     ]
             */
            addresses?: string[];
            /**
             * @example [
             *       "ada@example.com"
             *     ]
             */
            emails?: string[];
            /**
             * @example [
             *       "+44 20 7946 0000"
             *     ]
             */
            phones?: string[];
            /**
             * @example [
             *       "https://example.com/ada"
             *     ]
             */
            urls?: string[];
            customFieldValues?: components["schemas"]["CustomFieldValuesByGroupInput"];
        };
        BatchWarning: {
            /** @enum {string} */
            code: "GROUP_NOT_ADDED";
            message: string;
            path: (string | number)[];
        };
        Change: {
            /** @description The attribute, from the root of the record */
            path: string[];
            /** @enum {string} */
            type: "add" | "remove" | "set";
            /** @description Absent when it was cleared, and for texts that are not told */
            value?: unknown;
        };
        Company: {
            /** @description com_ and a uuid */
            id: string;
            name: string;
            description: string;
            fundingRaised: string | null;
            /** Format: date */
            lastFundingDate: string | null;
            industry: string | null;
            foundationYear: string | null;
            employeeRange: ("1-10" | "11-50" | "51-200" | "201-500" | "501-1000" | "1001-5000" | "5001-10000" | "10000+") | null;
            groups: {
                /** @description grp_ and a uuid */
                id: string;
                name: string;
            }[];
            addresses: string[];
            emails: string[];
            phones: string[];
            urls: string[];
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            createdBy: components["schemas"]["User"];
            customFieldValues: {
                [key: string]: {
                    [key: string]: components["schemas"]["CustomFieldValue"];
                };
            };
        };
        CompanyBatchDeleteResult: components["schemas"]["CompanyBatchDeleteSuccess"] | components["schemas"]["BatchFailure"];
        CompanyBatchDeleteSuccess: {
            /** @enum {string} */
            status: "succeeded";
            data: {
                /** @description com_ and a uuid */
                id: string;
            };
            /** @enum {string} */
            operation?: "created" | "updated";
            removedGroups?: {
                /** @description grp_ and a uuid */
                id: string;
            }[];
            warnings?: components["schemas"]["BatchWarning"][];
        };
        CompanyBatchResult: components["schemas"]["CompanyBatchSuccess"] | components["schemas"]["BatchFailure"];
        CompanyBatchSuccess: {
            /** @enum {string} */
            status: "succeeded";
            data: components["schemas"]["Company"];
            /** @enum {string} */
            operation?: "created" | "updated";
            removedGroups?: {
                /** @description grp_ and a uuid */
                id: string;
            }[];
            warnings?: components["schemas"]["BatchWarning"][];
        };
        CompanyCreate: {
            /**
             * @description White space at both ends is removed
             * @example Difference Engines
             */
            name: string;
            /** @example Makes engines. */
            description?: string;
            /**
             * @description A number or a numeric text of at most 38 digits, 10 of them after the point
             * @example 1500000
             */
            fundingRaised?: string | number | null;
            /**
             * Format: date
             * @example 2026-01-15
             */
            lastFundingDate?: string | null;
            /** @example Software */
            industry?: string | null;
            /**
             * @description A whole number from 1000 to 2100, or its digits as a text
             * @example 1999
             */
            foundationYear?: string | number | null;
            employeeRange?: ("1-10" | "11-50" | "51-200" | "201-500" | "501-1000" | "1001-5000" | "5001-10000" | "10000+") | null;
            groups?: components["schemas"]["GroupReference"][];
            /**
             * @example [
             *       "1 Main Street"
             *     ]
             */
            addresses?: string[];
            /**
             * @example [
             *       "info@example.com"
             *     ]
             */
            emails?: string[];
            /**
             * @example [
             *       "+1 202 555 0100"
             *     ]
             */
            phones?: string[];
            /**
             * @example [
             *       "https://example.com"
             *     ]
             */
            urls?: string[];
            customFieldValues?: components["schemas"]["CustomFieldValuesByGroupInput"];
        };
        CompanyMerge: {
            records: components["schemas"]["CompanyReference"][];
        };
        CompanyReference: {
            /** @description com_ and a uuid */
            id: string;
        };
        CompanySearch: {
            /**
             * @description Whether all conditions of the filter must hold, or any of them
             * @default and
             * @enum {string}
             */
            combinator?: "and" | "or";
            filter?: components["schemas"]["CompanyFilter"];
        };
        CompanyUpdate: {
            /**
             * @description White space at both ends is removed
             * @example Difference Engines
             */
            name?: string;
            /** @example Makes engines. */
            description?: string;
            /**
             * @description A number or a numeric text of at most 38 digits, 10 of them after the point
             * @example 1500000
             */
            fundingRaised?: string | number | null;
            /**
             * Format: date
             * @example 2026-01-15
             */
            lastFundingDate?: string | null;
            /** @example Software */
            industry?: string | null;
            /**
             * @description A whole number from 1000 to 2100, or its digits as a text
             * @example 1999
             */
            foundationYear?: string | number | null;
            employeeRange?: ("1-10" | "11-50" | "51-200" | "201-500" | "501-1000" | "1001-5000" | "5001-10000" | "10000+") | null;
            groups?: components["schemas"]["GroupReference"][];
            /**
             * @example [
             *       "1 Main Street"
             *     ]
             */
            addresses?: string[];
            /**
             * @example [
             *       "info@example.com"
             *     ]
             */
            emails?: string[];
            /**
             * @example [
             *       "+1 202 555 0100"
             *     ]
             */
            phones?: string[];
            /**
             * @example [
             *       "https://example.com"
             *     ]
             */
            urls?: string[];
            customFieldValues?: components["schemas"]["CustomFieldValuesByGroupInput"];
        };
        Contact: {
            /** @description per_ or com_ and a uuid */
            id: string;
            /** @enum {string} */
            entityType: "person" | "company";
            fullName: string;
        };
        ContactReference: {
            /** @description per_ or com_ and a uuid */
            id: string;
        };
        Credits: {
            remaining: number;
            used: number;
            /**
             * Format: date-time
             * @description Null: credits do not renew by themselves
             */
            renewsAt: string | null;
        };
        CustomField: {
            name: string;
            /** @enum {string} */
            type: "textField" | "numericField" | "dateField" | "singleSelect" | "multipleSelect" | "userField" | "contactField" | "objectField";
            options?: {
                /** @description gcfo_ and a uuid */
                id: string;
                label: string;
                /** @example #5738ff */
                color: string;
            }[];
            config?: {
                /** @enum {string} */
                format: "default" | "percent" | "none" | "number" | "currency";
                /**
                 * @description Currency code of ISO 4217
                 * @example USD
                 */
                currency?: string;
                decimals?: number;
            };
        };
        CustomFieldCreate: components["schemas"]["SelectCreate"] | components["schemas"]["NumericFieldCreate"] | components["schemas"]["PlainFieldCreate"];
        CustomFieldUpdate: {
            /**
             * @description White space at both ends is removed
             * @example Status
             */
            name?: string;
            config?: {
                /** @enum {string} */
                format: "currency";
                /**
                 * @description Currency code of ISO 4217
                 * @example USD
                 */
                currency: string;
                decimals?: number;
            } | {
                /** @enum {string} */
                format: "default" | "percent" | "none" | "number";
                decimals?: number;
            };
            addOptions?: components["schemas"]["OptionCreate"][];
            updateOptions?: components["schemas"]["OptionUpdate"][];
            removeOptions?: string[];
        };
        CustomFieldValue: (string | null) | string[] | components["schemas"]["User"][] | {
            id: string;
            fullName: string;
            /** @enum {string} */
            entityType: "person" | "company" | "object";
        }[];
        /** @description Id of a group of the record → values of the custom fields of this group */
        CustomFieldValuesByGroupInput: {
            [key: string]: {
                [key: string]: (string | null) | (string | number) | string | string[] | (({
                    /** @description usr_ and a uuid */
                    id?: string;
                    email?: string;
                } & {
                    [key: string]: unknown;
                }) | unknown | unknown)[] | ({
                    /** @description per_ or com_ and a uuid */
                    id: string;
                } & {
                    [key: string]: unknown;
                })[] | ({
                    /** @description obj_ and a uuid */
                    id: string;
                } & {
                    [key: string]: unknown;
                })[];
            };
        };
        /**
         * @description Name of a custom field → its value. Fields that are not named stay as they are
         * @example {
         *       "Status": "Lead"
         *     }
         */
        CustomFieldValuesInput: {
            [key: string]: (string | null) | (string | number) | string | string[] | (({
                /** @description usr_ and a uuid */
                id?: string;
                email?: string;
            } & {
                [key: string]: unknown;
            }) | unknown | unknown)[] | ({
                /** @description per_ or com_ and a uuid */
                id: string;
            } & {
                [key: string]: unknown;
            })[] | ({
                /** @description obj_ and a uuid */
                id: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        Deal: {
            /** @description obj_ and a uuid */
            id: string;
            name: string;
            companies: {
                /** @description com_ and a uuid */
                id: string;
                name: string;
            }[];
            people: {
                /** @description per_ and a uuid */
                id: string;
                fullName: string;
            }[];
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            createdBy: components["schemas"]["User"];
            customFieldValues: {
                [key: string]: components["schemas"]["CustomFieldValue"];
            };
        };
        DealBatchDeleteResult: components["schemas"]["DealBatchDeleteSuccess"] | components["schemas"]["BatchFailure"];
        DealBatchDeleteSuccess: {
            /** @enum {string} */
            status: "succeeded";
            data: {
                /** @description obj_ and a uuid */
                id: string;
            };
            /** @enum {string} */
            operation?: "created" | "updated";
            removedGroups?: {
                /** @description grp_ and a uuid */
                id: string;
            }[];
            warnings?: components["schemas"]["BatchWarning"][];
        };
        DealBatchResult: components["schemas"]["DealBatchSuccess"] | components["schemas"]["BatchFailure"];
        DealBatchSuccess: {
            /** @enum {string} */
            status: "succeeded";
            data: components["schemas"]["Deal"];
            /** @enum {string} */
            operation?: "created" | "updated";
            removedGroups?: {
                /** @description grp_ and a uuid */
                id: string;
            }[];
            warnings?: components["schemas"]["BatchWarning"][];
        };
        DealCreate: {
            /** @example Difference engine */
            name: string;
            companies?: components["schemas"]["CompanyReference"][];
            people?: components["schemas"]["PersonReference"][];
            customFieldValues?: components["schemas"]["CustomFieldValuesInput"];
        };
        DealMerge: {
            records: components["schemas"]["ObjectReference"][];
        };
        DealSearch: {
            /**
             * @description Whether all conditions of the filter must hold, or any of them
             * @default and
             * @enum {string}
             */
            combinator?: "and" | "or";
            filter?: components["schemas"]["DealFilter"];
        };
        DealUpdate: {
            /** @example Difference engine */
            name?: string;
            companies?: components["schemas"]["CompanyReference"][];
            people?: components["schemas"]["PersonReference"][];
            customFieldValues?: components["schemas"]["CustomFieldValuesInput"];
        };
        Delivery: {
            /** @description dlv_ and a uuid */
            id: string;
            /** @description evt_ and a uuid */
            eventId: string;
            /** @enum {string} */
            eventType: "person.created" | "person.updated" | "person.deleted" | "person.groups_updated" | "person.workspace_interaction_metadata_updated" | "company.created" | "company.updated" | "company.deleted" | "company.groups_updated" | "object.created" | "object.updated" | "object.deleted" | "note.created" | "note.updated" | "note.deleted" | "reminder.created" | "reminder.updated" | "reminder.deleted" | "reminder.triggered" | "webhook.test";
            /** @description The id of the record, note or reminder; of a test that of the webhook */
            recordId: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "cancelled";
            attempts: components["schemas"]["DeliveryAttempt"][];
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
        };
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            at: string;
            /** @example 200 */
            responseStatus: number | null;
            /** @description Why there is no answer, or that it is a redirect, which is not followed; null for any other answer */
            error: string | null;
            /** @example 84 */
            durationMs: number;
            /**
             * @description The first 1024 bytes of the answer
             * @example ok
             */
            responseBody: string;
        };
        EnrichedPerson: {
            /** @description per_ and a uuid */
            id: string;
            /** @enum {string} */
            entityType: "person";
            fullName: string;
        };
        Enrichment: {
            /** @description enr_ and a uuid */
            id: string;
            entity: components["schemas"]["EnrichedPerson"];
            /** @enum {string} */
            status: "pending" | "in_progress" | "completed" | "failed" | "cancelled";
            creditsUsed: number;
            result: components["schemas"]["EnrichmentResult"] | null;
            error: components["schemas"]["EnrichmentError"] | null;
            createdBy: components["schemas"]["User"];
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            finishedAt: string | null;
        };
        EnrichmentError: {
            /** @example PROVIDER_REFUSED */
            code: string;
            message: string;
        };
        EnrichmentResult: {
            /**
             * @example [
             *       "jobTitle",
             *       "urls"
             *     ]
             */
            addedFields: string[];
        };
        Entity: {
            /** @description per_ or com_ or obj_ and a uuid */
            id: string;
            /** @enum {string} */
            entityType: "person" | "company" | "object";
            fullName: string;
        };
        EventFilter: {
            /** @description grp_ and a uuid */
            groupId?: string;
            /** @example Deals */
            objectType?: string;
            /**
             * @example [
             *       "jobTitle"
             *     ]
             */
            path?: string[];
            /** @example Analyst */
            value?: string;
        };
        EventFilterInput: {
            /** @description grp_ and a uuid */
            groupId?: string;
            /** @example Deals */
            objectType?: string;
            /**
             * @example [
             *       "jobTitle"
             *     ]
             */
            path?: string[];
            /** @example Analyst */
            value?: string;
        };
        FeedEvent: {
            /** @description evt_ and a uuid */
            id: string;
            /** @enum {string} */
            type: "person.created" | "person.updated" | "person.deleted" | "person.groups_updated" | "person.workspace_interaction_metadata_updated" | "company.created" | "company.updated" | "company.deleted" | "company.groups_updated" | "object.created" | "object.updated" | "object.deleted" | "note.created" | "note.updated" | "note.deleted" | "reminder.created" | "reminder.updated" | "reminder.deleted" | "reminder.triggered";
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: uri
             * @description Where it comes from: the URL of the feed
             */
            source: string;
            data: {
                /** @description The record, note or reminder */
                id: string;
                /** Format: uri */
                url: string;
                changes?: components["schemas"]["Change"][];
                details?: Record<string, unknown>;
            };
        };
        Group: {
            /** @description grp_ and a uuid */
            id: string;
            name: string;
            /** @enum {string} */
            visibility: "public" | "private";
        };
        GroupCreate: {
            /**
             * @description White space at both ends is removed
             * @example Sales
             */
            name: string;
            /** @enum {string} */
            visibility: "public" | "private";
        };
        GroupMember: {
            /** @description usr_ and a uuid */
            id: string;
            fullName: string;
            email: string;
            /** @enum {string} */
            role: "reader" | "contributor" | "admin";
        };
        GroupMemberCreate: {
            /** @description usr_ and a uuid */
            id: string;
            /** @enum {string} */
            role: "reader" | "contributor" | "admin";
        };
        GroupMemberUpdate: {
            /** @enum {string} */
            role: "reader" | "contributor" | "admin";
        };
        GroupReference: {
            /** @description grp_ and a uuid */
            id: string;
        };
        GroupUpdate: {
            /**
             * @description White space at both ends is removed
             * @example Sales
             */
            name?: string;
            /** @enum {string} */
            visibility?: "public" | "private";
        };
        ImportedContent: {
            subject?: string | null;
            snippet?: string | null;
            body?: string | null;
            title?: string | null;
            description?: string | null;
            location?: string | null;
            startTime?: string | null;
            endTime?: string | null;
            text?: string | null;
            /** @enum {string} */
            status?: "ongoing" | "processing" | "completed" | "missed" | "failed";
            duration?: number | null;
            summary?: string | null;
            transcript?: components["schemas"]["TranscriptSegment"][];
        };
        Interaction: {
            /** @example lit_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70 */
            id: string;
            /** @enum {string} */
            interactionType: "logged" | "email" | "calendar" | "whatsapp" | "call";
            from: components["schemas"]["Participant"];
            to: components["schemas"]["Participant"];
            participants?: components["schemas"]["Participant"][];
            /** @example Coffee with Ada */
            title?: string | null;
            content: string | components["schemas"]["ImportedContent"];
            entity: components["schemas"]["Contact"];
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            dateTime: string;
            /** @enum {string} */
            privacyLevel: "full" | "subjectOnly" | "sensitive" | "internal";
            /**
             * @deprecated
             * @example coffee
             */
            type: string | null;
            /** @example coffee */
            activityType: string | null;
        };
        /** @description One of type and activityType is required */
        InteractionCreate: {
            entity: components["schemas"]["ContactReference"];
            /**
             * Format: date-time
             * @description A timestamp; without a zone it is UTC
             * @example 2026-01-15T10:00:00.000Z
             */
            dateTime: string;
            /** @example Coffee with Ada */
            title: string;
            /** @example She knows somebody at the Royal Society. */
            content: string;
            /**
             * @deprecated
             * @description An emoji, or one of: call, meeting, message, coffee, lunch, event, drink, whatsapp, twitter, linkedin, hangout, skype, slack, iMessage, fbMessenger, signal, discord, wechat, telegram, viber
             * @example coffee
             */
            type?: string;
            /**
             * @description An emoji, or one of: call, meeting, message, coffee, lunch, event, drink, whatsapp, twitter, linkedin, hangout, skype, slack, iMessage, fbMessenger, signal, discord, wechat, telegram, viber
             * @example coffee
             */
            activityType?: string;
        };
        InteractionUpdate: {
            entity: components["schemas"]["ContactReference"];
            /**
             * Format: date-time
             * @description A timestamp; without a zone it is UTC
             * @example 2026-01-15T10:00:00.000Z
             */
            dateTime?: string;
            /** @example Coffee with Ada */
            title?: string;
            /** @example She knows somebody at the Royal Society. */
            content?: string;
            /**
             * @description An emoji, or one of: call, meeting, message, coffee, lunch, event, drink, whatsapp, twitter, linkedin, hangout, skype, slack, iMessage, fbMessenger, signal, discord, wechat, telegram, viber
             * @example coffee
             */
            activityType?: string;
        };
        MergedCompany: components["schemas"]["Company"] & {
            /** @description Absent when no entry was left out */
            warnings?: components["schemas"]["Truncation"][];
        };
        MergedDeal: components["schemas"]["Deal"] & {
            /** @description Absent when no entry was left out */
            warnings?: components["schemas"]["Truncation"][];
        };
        MergedPerson: components["schemas"]["Person"] & {
            /** @description Absent when no entry was left out */
            warnings?: components["schemas"]["Truncation"][];
        };
        Note: {
            /** @description nte_ and a uuid */
            id: string;
            entity: components["schemas"]["Entity"];
            content: string;
            /** @enum {string} */
            visibility: "public" | "private";
            author: components["schemas"]["Author"];
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            parentNote: components["schemas"]["ParentNote"] | null;
        };
        NoteCreate: {
            entity: components["schemas"]["RecordReference"];
            /** @example Met at the *Royal Society*. Wants a demo in May. */
            content: string;
            /** @enum {string} */
            visibility: "public" | "private";
            parentNote?: components["schemas"]["NoteReference"];
        };
        NoteReference: {
            /** @description nte_ and a uuid */
            id: string;
        };
        NoteUpdate: {
            /** @example Met at the *Royal Society*. Wants a demo in May. */
            content?: string;
            /** @enum {string} */
            visibility?: "public" | "private";
        };
        NumericFieldCreate: {
            /** @enum {string} */
            type: "numericField";
            /**
             * @description White space at both ends is removed
             * @example Status
             */
            name: string;
            config?: {
                /** @enum {string} */
                format: "currency";
                /**
                 * @description Currency code of ISO 4217
                 * @example USD
                 */
                currency: string;
                decimals?: number;
            } | {
                /** @enum {string} */
                format: "default" | "percent" | "none" | "number";
                decimals?: number;
            };
        };
        ObjectReference: {
            /** @description obj_ and a uuid */
            id: string;
        };
        ObjectType: {
            name: string;
        };
        OptionCreate: {
            /**
             * @description White space at both ends is removed
             * @example Lead
             */
            label: string;
            /** @example #5738ff */
            color?: string;
        };
        OptionUpdate: {
            /** @description gcfo_ and a uuid */
            id: string;
            /**
             * @description White space at both ends is removed
             * @example Lead
             */
            label?: string;
            /** @example #5738ff */
            color?: string;
        };
        ParentNote: {
            /** @description nte_ and a uuid */
            id: string;
            entity?: components["schemas"]["Entity"];
            content?: string | null;
            /** @enum {string} */
            visibility?: "public" | "private";
            author?: components["schemas"]["Author"];
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt?: string;
            deleted: boolean;
        };
        Participant: {
            /** @enum {string} */
            type: "user" | "person" | "company" | "email" | "phone";
            value: string;
            name?: string;
            picture?: string;
            /** @description usr_ and a uuid */
            userId?: string;
        };
        Person: {
            /** @description per_ and a uuid */
            id: string;
            firstName: string;
            lastName: string;
            fullName: string;
            description: string;
            /** Format: date */
            birthday: string | null;
            /** @enum {string} */
            gender: "Male" | "Female" | "Other" | "Unknown";
            jobTitle: string;
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            createdBy: components["schemas"]["User"];
            groups: {
                /** @description grp_ and a uuid */
                id: string;
                name: string;
            }[];
            companies: {
                /** @description com_ and a uuid */
                id: string;
                name: string;
            }[];
            addresses: string[];
            emails: string[];
            phones: string[];
            urls: string[];
            customFieldValues: {
                [key: string]: {
                    [key: string]: components["schemas"]["CustomFieldValue"];
                };
            };
            interactionMetadata: {
                user: {
                    approximateCount: number;
                    /**
                     * Format: date-time
                     * @example 2026-03-01T09:30:00.000Z
                     */
                    lastInteractedAt: string | null;
                };
                workspace: {
                    approximateCount: number;
                    /**
                     * Format: date-time
                     * @example 2026-03-01T09:30:00.000Z
                     */
                    lastInteractedAt: string | null;
                    lastInteractedBy: components["schemas"]["User"][];
                };
            };
            strongestConnection: {
                [key: string]: components["schemas"]["User"];
            };
        };
        PersonBatchDeleteResult: components["schemas"]["PersonBatchDeleteSuccess"] | components["schemas"]["BatchFailure"];
        PersonBatchDeleteSuccess: {
            /** @enum {string} */
            status: "succeeded";
            data: {
                /** @description per_ and a uuid */
                id: string;
            };
            /** @enum {string} */
            operation?: "created" | "updated";
            removedGroups?: {
                /** @description grp_ and a uuid */
                id: string;
            }[];
            warnings?: components["schemas"]["BatchWarning"][];
        };
        PersonBatchResult: components["schemas"]["PersonBatchSuccess"] | components["schemas"]["BatchFailure"];
        PersonBatchSuccess: {
            /** @enum {string} */
            status: "succeeded";
            data: components["schemas"]["Person"];
            /** @enum {string} */
            operation?: "created" | "updated";
            removedGroups?: {
                /** @description grp_ and a uuid */
                id: string;
            }[];
            warnings?: components["schemas"]["BatchWarning"][];
        };
        /** @description Exactly one of id and name */
        PersonCompanyNameOrReference: {
            /** @description com_ and a uuid */
            id?: string;
            /** @description White space at both ends is removed */
            name?: string;
        };
        PersonCreate: {
            /** @example Ada */
            firstName?: string;
            /** @example Lovelace */
            lastName?: string;
            /** @example Ada Lovelace */
            fullName?: string;
            /** @example Wrote the first program. */
            description?: string;
            /**
             * @description A date YYYY-MM-DD. An empty text clears it, as null does
             * @example 1990-02-28
             */
            birthday?: string | null;
            gender?: ("Male" | "Female" | "Other" | "Unknown") | null;
            /** @example Analyst */
            jobTitle?: string;
            groups?: components["schemas"]["GroupReference"][];
            companies?: components["schemas"]["PersonCompanyNameOrReference"][];
            /**
             * @example [
             *       "12 St James's Square, London"
             *     ]
             */
            addresses?: string[];
            /**
             * @example [
             *       "ada@example.com"
             *     ]
             */
            emails?: string[];
            /**
             * @example [
             *       "+44 20 7946 0000"
             *     ]
             */
            phones?: string[];
            /**
             * @example [
             *       "https://example.com/ada"
             *     ]
             */
            urls?: string[];
            customFieldValues?: components["schemas"]["CustomFieldValuesByGroupInput"];
        };
        PersonMerge: {
            records: components["schemas"]["PersonReference"][];
        };
        PersonReference: {
            /** @description per_ and a uuid */
            id: string;
        };
        PersonSearch: {
            /**
             * @description Whether all conditions of the filter must hold, or any of them
             * @default and
             * @enum {string}
             */
            combinator?: "and" | "or";
            filter?: components["schemas"]["PersonFilter"];
        };
        PersonUpdate: {
            /** @example Ada */
            firstName?: string;
            /** @example Lovelace */
            lastName?: string;
            /** @example Ada Lovelace */
            fullName?: string;
            /** @example Wrote the first program. */
            description?: string;
            /**
             * @description A date YYYY-MM-DD. An empty text clears it, as null does
             * @example 1990-02-28
             */
            birthday?: string | null;
            gender?: ("Male" | "Female" | "Other" | "Unknown") | null;
            /** @example Analyst */
            jobTitle?: string;
            groups?: components["schemas"]["GroupReference"][];
            companies?: components["schemas"]["PersonCompanyNameOrReference"][];
            /**
             * @example [
             *       "12 St James's Square, London"
             *     ]
             */
            addresses?: string[];
            /**
             * @example [
             *       "ada@example.com"
             *     ]
             */
            emails?: string[];
            /**
             * @example [
             *       "+44 20 7946 0000"
             *     ]
             */
            phones?: string[];
            /**
             * @example [
             *       "https://example.com/ada"
             *     ]
             */
            urls?: string[];
            customFieldValues?: components["schemas"]["CustomFieldValuesByGroupInput"];
        };
        PlainFieldCreate: {
            /** @enum {string} */
            type: "textField" | "dateField" | "userField" | "contactField" | "objectField";
            /**
             * @description White space at both ends is removed
             * @example Status
             */
            name: string;
        };
        RecordReference: {
            /** @description per_ or com_ or obj_ and a uuid */
            id: string;
        };
        Reminder: {
            /** @description rmd_ and a uuid */
            id: string;
            name: string;
            entity: components["schemas"]["Entity"];
            /**
             * @example DTSTART;TZID=Europe/Paris:20300301T090000
             *     RRULE:FREQ=WEEKLY;INTERVAL=1
             */
            recurrenceRule: string;
            /** @enum {string} */
            visibility: "public" | "private";
            assignedUsers: components["schemas"]["User"][];
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            nextTriggerTime: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            lastTriggerTime: string | null;
            createdBy: components["schemas"]["User"];
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
        };
        ReminderCreate: {
            /** @example Ask how the demo went */
            name: string;
            entity: components["schemas"]["RecordReference"];
            /**
             * @description A line `DTSTART;TZID=<zone>:<YYYYMMDD>T<HHMMSS>`, a newline, and one of: RRULE:COUNT=1, RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;INTERVAL=1, RRULE:FREQ=WEEKLY;INTERVAL=1, RRULE:FREQ=WEEKLY;INTERVAL=2, RRULE:FREQ=MONTHLY;INTERVAL=1, RRULE:FREQ=MONTHLY;INTERVAL=3, RRULE:FREQ=YEARLY;INTERVAL=1
             * @example DTSTART;TZID=Europe/Paris:20300301T090000
             *     RRULE:FREQ=WEEKLY;INTERVAL=1
             */
            recurrenceRule: string;
            /** @enum {string} */
            visibility: "public" | "private";
            assignedUsers?: components["schemas"]["UserReference"][];
        };
        ReminderUpdate: {
            /** @example Ask how the demo went */
            name?: string;
            /**
             * @description A line `DTSTART;TZID=<zone>:<YYYYMMDD>T<HHMMSS>`, a newline, and one of: RRULE:COUNT=1, RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;INTERVAL=1, RRULE:FREQ=WEEKLY;INTERVAL=1, RRULE:FREQ=WEEKLY;INTERVAL=2, RRULE:FREQ=MONTHLY;INTERVAL=1, RRULE:FREQ=MONTHLY;INTERVAL=3, RRULE:FREQ=YEARLY;INTERVAL=1
             * @example DTSTART;TZID=Europe/Paris:20300301T090000
             *     RRULE:FREQ=WEEKLY;INTERVAL=1
             */
            recurrenceRule?: string;
            /** @enum {string} */
            visibility?: "public" | "private";
            assignedUsers?: components["schemas"]["UserReference"][];
        };
        Replayed: {
            /** @example 12 */
            replayed: number;
        };
        RequestLog: {
            /**
             * Format: uuid
             * @description The X-Request-Id of its answer
             * @example 0199e7a1-5f6e-7c3b-8a57-2f6f3c1d9b10
             */
            requestId: string;
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            /** @description usr_ and a uuid */
            userId: string;
            /** @example PATCH */
            method: string;
            /**
             * @description Null for a path that leads nowhere
             * @example /v1/people/{personId}
             */
            route: string | null;
            /**
             * @description The tool that an assistant has called
             * @example update_person
             */
            tool: string | null;
            /** @example 422 */
            status: number;
            /** @description Of a tool that was refused too, although its status is 200 */
            errorCode: ("INVALID_REQUEST" | "IDEMPOTENCY_KEY_INVALID" | "UNAUTHORIZED" | "FORBIDDEN" | "RESOURCE_NOT_FOUND" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "IDEMPOTENCY_REQUEST_IN_PROGRESS" | "PAYLOAD_TOO_LARGE" | "UNPROCESSABLE_ENTITY" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_RESPONSE_NOT_STORED" | "TOO_MANY_REQUESTS" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "IDEMPOTENCY_UNAVAILABLE") | null;
            /**
             * @description From the arrival of the request to its answer
             * @example 3.4
             */
            durationMs: number;
            /**
             * @description SHA-256 of its Idempotency-Key, in hexadecimal digits
             * @example 6c4e21d0c1a03f3ec83cf83ec4c9569959327f93c467b2a754a9c1216d43d974
             */
            idempotencyKeyHash: string | null;
            /**
             * @description What was left of the quota of its user, which is that of X-RateLimit-Limit
             * @example 598
             */
            rateLimitRemaining: number | null;
        };
        SelectCreate: {
            /** @enum {string} */
            type: "singleSelect" | "multipleSelect";
            /**
             * @description White space at both ends is removed
             * @example Status
             */
            name: string;
            options: components["schemas"]["OptionCreate"][];
        };
        SubscribedEvent: {
            /** @enum {string} */
            eventType: "person.created" | "person.updated" | "person.deleted" | "person.groups_updated" | "person.workspace_interaction_metadata_updated" | "company.created" | "company.updated" | "company.deleted" | "company.groups_updated" | "object.created" | "object.updated" | "object.deleted" | "note.created" | "note.updated" | "note.deleted" | "reminder.created" | "reminder.updated" | "reminder.deleted" | "reminder.triggered";
            filter: components["schemas"]["EventFilter"];
        };
        SubscribedEventInput: {
            /** @enum {string} */
            eventType: "person.created" | "person.updated" | "person.deleted" | "person.groups_updated" | "person.workspace_interaction_metadata_updated" | "company.created" | "company.updated" | "company.deleted" | "company.groups_updated" | "object.created" | "object.updated" | "object.deleted" | "note.created" | "note.updated" | "note.deleted" | "reminder.created" | "reminder.updated" | "reminder.deleted" | "reminder.triggered";
            filter?: components["schemas"]["EventFilterInput"];
        };
        Task: {
            /** @description tsk_ and a uuid */
            id: string;
            entity: components["schemas"]["Entity"];
            title: string;
            description: string | null;
            /**
             * Format: date
             * @example 2030-03-29
             */
            dueAt: string;
            /**
             * @description A time of day HH:mm
             * @example 09:30
             */
            dueTime: string | null;
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            completedAt: string | null;
            recurrenceFrequency: ("weekday" | "weekly" | "biweekly" | "monthly" | "quarterly" | "yearly") | null;
            isPublic: boolean;
            assignedUsers: components["schemas"]["User"][];
            createdBy: components["schemas"]["User"];
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            updatedAt: string;
        };
        TaskCompletion: {
            /**
             * Format: date-time
             * @description A timestamp; without a zone it is UTC
             * @example 2026-03-30T16:05:00.000Z
             */
            completedAt: string;
        };
        TaskCreate: {
            entity: components["schemas"]["RecordReference"];
            /** @example Send the offer */
            title: string;
            /** @example With the prices of *this* year. */
            description?: string | null;
            /**
             * Format: date
             * @example 2030-03-29
             */
            dueAt: string;
            /**
             * @description A time of day HH:mm
             * @example 09:30
             */
            dueTime?: string | null;
            /**
             * Format: date-time
             * @description A timestamp; without a zone it is UTC
             * @example 2026-03-30T16:05:00.000Z
             */
            completedAt?: string | null;
            recurrenceFrequency?: ("weekday" | "weekly" | "biweekly" | "monthly" | "quarterly" | "yearly") | null;
            /** @default true */
            isPublic?: boolean;
            assignedUsers?: components["schemas"]["UserReference"][];
        };
        TaskUpdate: {
            entity?: components["schemas"]["RecordReference"];
            /** @example Send the offer */
            title?: string;
            /** @example With the prices of *this* year. */
            description?: string | null;
            /**
             * Format: date
             * @example 2030-03-29
             */
            dueAt?: string;
            /**
             * @description A time of day HH:mm
             * @example 09:30
             */
            dueTime?: string | null;
            recurrenceFrequency?: ("weekday" | "weekly" | "biweekly" | "monthly" | "quarterly" | "yearly") | null;
            isPublic?: boolean;
            assignedUsers?: components["schemas"]["UserReference"][];
        };
        TranscriptSegment: {
            speaker: string;
            text: string;
        };
        Truncation: {
            /** @enum {string} */
            code: "LIST_TRUNCATED";
            /** @description Which entries were left out */
            message: string;
            /** @description The list */
            path: (string | number)[];
        };
        User: {
            /** @description usr_ and a uuid */
            id: string;
            fullName: string;
            email: string;
        };
        /** @description Exactly one of id and email */
        UserReference: {
            /** @description usr_ and a uuid */
            id?: string;
            email?: string;
        };
        Webhook: {
            /** @description wbk_ and a uuid */
            id: string;
            name: string;
            /** @example https://example.com/webhooks/contacts */
            targetUrl: string;
            subscribedEvents: components["schemas"]["SubscribedEvent"][];
            /** @example whsec_C2**********************ZWE= */
            redactedSigningSecret: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
        };
        WebhookCreate: {
            /** @example New people to the newsletter */
            name: string;
            /**
             * Format: uri
             * @description An absolute URL of http or https, without user, password and fragment
             * @example https://example.com/webhooks/contacts
             */
            targetUrl: string;
            subscribedEvents: components["schemas"]["SubscribedEventInput"][];
        };
        WebhookReplay: {
            /**
             * @description A timestamp, or a date, which is its start in UTC
             * @example 2026-03-01T09:30:00.000Z
             */
            since: string;
        };
        WebhookUpdate: {
            /** @example New people to the newsletter */
            name?: string;
            /**
             * Format: uri
             * @description An absolute URL of http or https, without user, password and fragment
             * @example https://example.com/webhooks/contacts
             */
            targetUrl?: string;
            subscribedEvents?: components["schemas"]["SubscribedEventInput"][];
            /** @enum {string} */
            status?: "active" | "inactive";
        };
        WebhookWithSecret: {
            /** @description wbk_ and a uuid */
            id: string;
            name: string;
            /** @example https://example.com/webhooks/contacts */
            targetUrl: string;
            subscribedEvents: components["schemas"]["SubscribedEvent"][];
            /** @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDb0VYkQQ2ZWE= */
            signingSecret: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /**
             * Format: date-time
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
        };
        TextCondition: {
            eq?: string;
            not_eq?: string;
            like?: string;
            not_like?: string;
            /** @constant */
            empty?: true;
            /** @constant */
            not_empty?: true;
        };
        NumberCondition: {
            /** @description A number, or a text with its digits */
            eq?: string | number;
            /** @description A number, or a text with its digits */
            not_eq?: string | number;
            /** @description A number, or a text with its digits */
            gt?: string | number;
            /** @description A number, or a text with its digits */
            lt?: string | number;
            /** @constant */
            empty?: true;
            /** @constant */
            not_empty?: true;
        };
        DateCondition: {
            /** Format: date */
            eq?: string;
            /** Format: date */
            not_eq?: string;
            /** Format: date */
            gt?: string;
            /** Format: date */
            lt?: string;
            /** @constant */
            empty?: true;
            /** @constant */
            not_empty?: true;
        };
        ReferenceCondition: {
            all?: components["schemas"]["RecordIds"];
            in?: components["schemas"]["RecordIds"];
            not_in?: components["schemas"]["RecordIds"];
            /** @constant */
            empty?: true;
            /** @constant */
            not_empty?: true;
        };
        UserCondition: {
            in?: components["schemas"]["UserIds"];
            not_in?: components["schemas"]["UserIds"];
            /** @constant */
            empty?: true;
            /** @constant */
            not_empty?: true;
        };
        /** @description Which operators and values there are depends on the type of the field */
        CustomFieldCondition: {
            eq?: string | number;
            not_eq?: string | number;
            like?: string | number;
            not_like?: string | number;
            /** @constant */
            empty?: true;
            /** @constant */
            not_empty?: true;
            gt?: string | number;
            lt?: string | number;
            all?: ((string | number) | (string | number)[]) | components["schemas"]["UserIds"];
            in?: ((string | number) | (string | number)[]) | components["schemas"]["UserIds"];
            not_in?: ((string | number) | (string | number)[]) | components["schemas"]["UserIds"];
        };
        UserIds: {
            id?: string | string[];
            email?: string | string[];
        };
        RecordIds: {
            id: string | string[];
        };
        PersonGenderCondition: {
            /** @enum {string} */
            eq?: "Male" | "Female" | "Other" | "Unknown";
            /** @enum {string} */
            not_eq?: "Male" | "Female" | "Other" | "Unknown";
            in?: ("Male" | "Female" | "Other" | "Unknown") | ("Male" | "Female" | "Other" | "Unknown")[];
            not_in?: ("Male" | "Female" | "Other" | "Unknown") | ("Male" | "Female" | "Other" | "Unknown")[];
            /** @constant */
            empty?: true;
            /** @constant */
            not_empty?: true;
        };
        TaskDueAtCondition: {
            /** Format: date */
            eq?: string;
            /** Format: date */
            not_eq?: string;
            /** Format: date */
            gt?: string;
            /** Format: date */
            lt?: string;
        };
        TaskCreatedAtCondition: {
            /** @description A timestamp, or a date */
            gt?: string;
            /** @description A timestamp, or a date */
            lt?: string;
        };
        TaskAssigneeUserIdCondition: {
            in?: string | string[];
            not_in?: string | string[];
        };
        TaskEntityCondition: {
            in?: string | string[];
            not_in?: string | string[];
        };
        TaskCompletedAtCondition: {
            /** @constant */
            empty?: true;
            /** @constant */
            not_empty?: true;
            /** @description A timestamp, or a date */
            gt?: string;
            /** @description A timestamp, or a date */
            lt?: string;
        };
        EnrichmentStatusCondition: {
            /** @enum {string} */
            eq?: "pending" | "in_progress" | "completed" | "failed" | "cancelled";
            /** @enum {string} */
            not_eq?: "pending" | "in_progress" | "completed" | "failed" | "cancelled";
            in?: ("pending" | "in_progress" | "completed" | "failed" | "cancelled") | ("pending" | "in_progress" | "completed" | "failed" | "cancelled")[];
            not_in?: ("pending" | "in_progress" | "completed" | "failed" | "cancelled") | ("pending" | "in_progress" | "completed" | "failed" | "cancelled")[];
        };
        EnrichmentCreatedAtCondition: {
            /** @description A timestamp, or a date */
            gt?: string;
            /** @description A timestamp, or a date */
            lt?: string;
        };
        EnrichmentFinishedAtCondition: {
            /** @constant */
            empty?: true;
            /** @constant */
            not_empty?: true;
            /** @description A timestamp, or a date */
            gt?: string;
            /** @description A timestamp, or a date */
            lt?: string;
        };
        PersonFilter: {
            firstName?: components["schemas"]["TextCondition"];
            lastName?: components["schemas"]["TextCondition"];
            fullName?: components["schemas"]["TextCondition"];
            description?: components["schemas"]["TextCondition"];
            birthday?: components["schemas"]["DateCondition"];
            gender?: components["schemas"]["PersonGenderCondition"];
            jobTitle?: components["schemas"]["TextCondition"];
            createdAt?: components["schemas"]["DateCondition"];
            createdBy?: components["schemas"]["UserCondition"];
            groups?: components["schemas"]["ReferenceCondition"];
            companies?: components["schemas"]["ReferenceCondition"];
            addresses?: components["schemas"]["TextCondition"];
            emails?: components["schemas"]["TextCondition"];
            phones?: components["schemas"]["TextCondition"];
            urls?: components["schemas"]["TextCondition"];
            "interactionMetadata.workspace.lastInteractedAt"?: components["schemas"]["DateCondition"];
            "interactionMetadata.user.lastInteractedAt"?: components["schemas"]["DateCondition"];
        } & {
            [key: `customFieldValues.${string}`]: components["schemas"]["CustomFieldCondition"];
        };
        CompanyFilter: {
            name?: components["schemas"]["TextCondition"];
            description?: components["schemas"]["TextCondition"];
            fundingRaised?: components["schemas"]["NumberCondition"];
            lastFundingDate?: components["schemas"]["DateCondition"];
            industry?: components["schemas"]["TextCondition"];
            foundationYear?: components["schemas"]["NumberCondition"];
            employeeRange?: components["schemas"]["TextCondition"];
            groups?: components["schemas"]["ReferenceCondition"];
            addresses?: components["schemas"]["TextCondition"];
            emails?: components["schemas"]["TextCondition"];
            phones?: components["schemas"]["TextCondition"];
            urls?: components["schemas"]["TextCondition"];
            createdAt?: components["schemas"]["DateCondition"];
            createdBy?: components["schemas"]["UserCondition"];
        } & {
            [key: `customFieldValues.${string}`]: components["schemas"]["CustomFieldCondition"];
        };
        DealFilter: {
            name?: components["schemas"]["TextCondition"];
            companies?: components["schemas"]["ReferenceCondition"];
            people?: components["schemas"]["ReferenceCondition"];
            createdAt?: components["schemas"]["DateCondition"];
            createdBy?: components["schemas"]["UserCondition"];
        } & {
            [key: `customFieldValues.${string}`]: components["schemas"]["CustomFieldCondition"];
        };
        TaskFilter: {
            dueAt?: components["schemas"]["TaskDueAtCondition"];
            createdAt?: components["schemas"]["TaskCreatedAtCondition"];
            assigneeUserId?: components["schemas"]["TaskAssigneeUserIdCondition"];
            entity?: components["schemas"]["TaskEntityCondition"];
            completedAt?: components["schemas"]["TaskCompletedAtCondition"];
        };
        EnrichmentFilter: {
            status?: components["schemas"]["EnrichmentStatusCondition"];
            createdAt?: components["schemas"]["EnrichmentCreatedAtCondition"];
            finishedAt?: components["schemas"]["EnrichmentFinishedAtCondition"];
        };
        ApiError: {
            error: components["schemas"]["ForbiddenError"] | components["schemas"]["ValidationError"] | components["schemas"]["RateLimitError"] | components["schemas"]["PlainError"];
        };
        ForbiddenError: {
            /** @enum {string} */
            code: "FORBIDDEN";
            /** @description What went wrong, for people */
            message: string;
            /**
             * Format: uri
             * @description What the code means and what to do
             */
            documentationUrl: string;
            /**
             * Format: uuid
             * @description Name it when you report the error
             */
            requestId: string;
            /** Format: date-time */
            timestamp: string;
            details?: {
                /** @description Credits that the workspace has left, when an enrichment is refused for them */
                remaining?: number;
            };
        };
        ValidationError: {
            /** @enum {string} */
            code: "UNPROCESSABLE_ENTITY";
            /** @description What went wrong, for people */
            message: string;
            /**
             * Format: uri
             * @description What the code means and what to do
             */
            documentationUrl: string;
            /**
             * Format: uuid
             * @description Name it when you report the error
             */
            requestId: string;
            /** Format: date-time */
            timestamp: string;
            details: components["schemas"]["ValidationDetails"];
        };
        RateLimitError: {
            /** @enum {string} */
            code: "TOO_MANY_REQUESTS";
            /** @description What went wrong, for people */
            message: string;
            /**
             * Format: uri
             * @description What the code means and what to do
             */
            documentationUrl: string;
            /**
             * Format: uuid
             * @description Name it when you report the error
             */
            requestId: string;
            /** Format: date-time */
            timestamp: string;
            details?: components["schemas"]["RateLimitDetails"];
        };
        PlainError: {
            /** @enum {string} */
            code: "INVALID_REQUEST" | "IDEMPOTENCY_KEY_INVALID" | "UNAUTHORIZED" | "RESOURCE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "IDEMPOTENCY_REQUEST_IN_PROGRESS" | "PAYLOAD_TOO_LARGE" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENCY_RESPONSE_NOT_STORED" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "IDEMPOTENCY_UNAVAILABLE";
            /** @description What went wrong, for people */
            message: string;
            /**
             * Format: uri
             * @description What the code means and what to do
             */
            documentationUrl: string;
            /**
             * Format: uuid
             * @description Name it when you report the error
             */
            requestId: string;
            /** Format: date-time */
            timestamp: string;
        };
        ValidationDetails: {
            /** @description Every fault of the request, not only the first */
            issues: components["schemas"]["Issue"][];
        };
        /** @description The window that is full. Nothing when too many keys of an address were not valid */
        RateLimitDetails: {
            /** @description The name of the window */
            policy?: string;
            /** @description Requests that it takes */
            limit?: number;
            /** @description Requests that are left in it */
            remaining?: number;
            /** @description Its length */
            windowSeconds?: number;
            /**
             * Format: date-time
             * @description When it takes one more
             */
            retryAfter?: string;
            /** @description How every window stands */
            policies?: components["schemas"]["RateLimitPolicy"][];
        };
        RateLimitPolicy: {
            /** @description The name of the window */
            policy: string;
            /** @description Requests that it takes */
            limit: number;
            /** @description Requests that are left in it */
            remaining: number;
            /** @description Its length */
            windowSeconds: number;
            /**
             * Format: date-time
             * @description When it takes one more
             */
            retryAfter: string;
        };
        /** @description One fault, in the form of a Zod issue. What it has beside code, message and path depends on its code */
        Issue: {
            /** @enum {string} */
            code: "invalid_type" | "too_small" | "too_big" | "invalid_enum_value" | "invalid_string" | "unrecognized_keys" | "invalid_union" | "custom";
            message: string;
            /** @description Names and positions from the root of the body, or the name of a parameter */
            path: (string | number)[];
            /** @description Of invalid_type: the type, or the words, that are taken */
            expected?: string;
            /** @description Of invalid_type: the type that came. Of invalid_enum_value: the value */
            received?: unknown;
            /** @description Of too_small: the least that is taken */
            minimum?: number;
            /** @description Of too_big: the most that is taken */
            maximum?: number;
            /**
             * @description Of too_small and too_big: what is measured
             * @enum {string}
             */
            type?: "string" | "array" | "number";
            /** @description Of too_small and too_big: whether the bound itself is taken */
            inclusive?: boolean;
            /** @description Of too_small and too_big: whether nothing but the bound is taken */
            exact?: boolean;
            /** @description Of invalid_enum_value: the words that are taken */
            options?: string[];
            /** @description Of invalid_string: the form that is wanted */
            validation?: string;
            /** @description Of unrecognized_keys: the names that are not known */
            keys?: string[];
        };
        /** @description Empty on the last page */
        Pagination: {
            /**
             * Format: uri
             * @description The next page, with every parameter of this one
             */
            nextLink?: string;
        };
    };
    responses: {
        /** @description `INVALID_REQUEST`: The request cannot be read */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `INVALID_REQUEST`: The request cannot be read */
        BadSearch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description `INVALID_REQUEST`: The request cannot be read
         *
         *     `IDEMPOTENCY_KEY_INVALID`: The Idempotency-Key has not the right form
         */
        BadWrite: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        CompanyNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `IDEMPOTENCY_REQUEST_IN_PROGRESS`: A request with this key is still running */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        EnrichmentNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `FORBIDDEN`: The key or its user may not do this */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        GroupEntityTypeCustomFieldNameNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        GroupEntityTypeNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        GroupNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        GroupObjectTypeNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        GroupObjectTypeObjectNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        GroupUserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        InteractionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `INTERNAL_SERVER_ERROR`: Something went wrong in the server */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        NoteNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body is too large */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        PersonNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        ReminderNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `REQUEST_TIMEOUT`: The request came in too slowly. Without a body */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `SERVICE_UNAVAILABLE`: A part of the server is away */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        TaskNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `TOO_MANY_REQUESTS`: Too many requests */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNAUTHORIZED`: No valid API key */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableCompany: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableEnrichment: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableGroupEntityTypeCustomFieldName: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableGroupObjectTypeObject: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableInteraction: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableNote: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessablePerson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableReminder: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableSearch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableTask: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableUser: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `UNPROCESSABLE_ENTITY`: The request breaks a rule */
        UnprocessableWebhook: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description `UNPROCESSABLE_ENTITY`: The request breaks a rule
         *
         *     `IDEMPOTENCY_KEY_REUSED`: The key belongs to another request
         *
         *     `IDEMPOTENCY_RESPONSE_NOT_STORED`: The request has run, but its answer was not kept
         */
        UnprocessableWrite: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        UserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        WebhookDeliveryNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `RESOURCE_NOT_FOUND`: Nothing is there */
        WebhookNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description `SERVICE_UNAVAILABLE`: A part of the server is away
         *
         *     `IDEMPOTENCY_UNAVAILABLE`: The key could not be claimed
         */
        WriteUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: {
        /** @description The version that you were written for. Absent: the latest. */
        ApiVersion: "2025-06-09" | "2025-05-26";
        /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
        IdempotencyKey: string;
        /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
        Prefer: string;
        /** @description Of a stream: the id of the last event that was read. The stream goes on behind it. */
        LastEventId: string;
        /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
        Cursor: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listUsers: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["User"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description usr_ and a uuid */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UserNotFound"];
            422: components["responses"]["UnprocessableUser"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only such groups */
                visibility?: "public" | "private";
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Group"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupCreate"];
            };
        };
        responses: {
            /** @description The group. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Group"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupUpdate"];
            };
        };
        responses: {
            /** @description The group. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Group"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listGroupMembers: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["GroupMember"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["GroupNotFound"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addGroupMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupMemberCreate"];
            };
        };
        responses: {
            /** @description The group member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["GroupMember"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    removeGroupMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description usr_ and a uuid */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The id of what was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description usr_ and a uuid */
                            id: string;
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupUserNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    updateGroupMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description usr_ and a uuid */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupMemberUpdate"];
            };
        };
        responses: {
            /** @description The group member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["GroupMember"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupUserNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listGroupObjectTypes: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["ObjectType"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["GroupNotFound"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGroupCustomFields: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description person, company, or the name of an object type */
                entityType: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["CustomField"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["GroupEntityTypeNotFound"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createGroupCustomField: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description person, company, or the name of an object type */
                entityType: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomFieldCreate"];
            };
        };
        responses: {
            /** @description The custom field. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomField"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupEntityTypeNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    getGroupCustomField: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description person, company, or the name of an object type */
                entityType: string;
                /** @description The name of the field, exactly as the group writes it */
                customFieldName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The custom field. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomField"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["GroupEntityTypeCustomFieldNameNotFound"];
            422: components["responses"]["UnprocessableGroupEntityTypeCustomFieldName"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateGroupCustomField: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description person, company, or the name of an object type */
                entityType: string;
                /** @description The name of the field, exactly as the group writes it */
                customFieldName: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomFieldUpdate"];
            };
        };
        responses: {
            /** @description The custom field. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomField"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupEntityTypeCustomFieldNameNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Whether all conditions of the filter must hold, or any of them */
                combinator?: "and" | "or";
                /**
                 * @description `filter[<field>][<operator>]=<value>`, at most 50 conditions; `combinator` says whether all or any of them must hold. `all`, `in` and `not_in` take up to 100 values: repeat the parameter, also with `[]` or `[0]`, `[1]` behind it. `empty` and `not_empty` take none. `like` finds a part of a text in any letter case.
                 *
                 *     - `firstName`, `lastName`, `fullName`, `description`, `jobTitle`, `addresses`, `emails`, `phones`, `urls`: `eq`, `not_eq`, `like`, `not_like`, `empty`, `not_empty`
                 *     - `birthday`: `eq`, `not_eq`, `gt`, `lt`, `empty`, `not_empty` (dates YYYY-MM-DD)
                 *     - `gender`: `eq`, `not_eq`, `in`, `not_in`, `empty`, `not_empty`
                 *     - `createdAt`, `interactionMetadata.workspace.lastInteractedAt`, `interactionMetadata.user.lastInteractedAt`: `eq`, `not_eq`, `gt`, `lt`, `empty`, `not_empty` (dates YYYY-MM-DD, compared by day in UTC)
                 *     - `createdBy`: `in`, `not_in`, `empty`, `not_empty` (`[id]` or `[email]` behind the operator)
                 *     - `groups`, `companies`: `all`, `in`, `not_in`, `empty`, `not_empty` (`[id]` behind the operator)
                 *     - `customFieldValues.<groupId>.<fieldName>`: as the type of the custom field has it
                 */
                filter?: components["schemas"]["PersonFilter"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Person"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonCreate"];
            };
        };
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Person"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    getPerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description per_ and a uuid */
                personId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Person"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PersonNotFound"];
            422: components["responses"]["UnprocessablePerson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description per_ and a uuid */
                personId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The id of what was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description per_ and a uuid */
                            id: string;
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PersonNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    updatePerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description per_ and a uuid */
                personId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonUpdate"];
            };
        };
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Person"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PersonNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    batchCreatePeople: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: components["schemas"]["BatchPersonCreate"][];
                };
            };
        };
        responses: {
            /** @description One result for each record, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            results: components["schemas"]["PersonBatchResult"][];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    batchUpdatePeople: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: components["schemas"]["BatchPersonUpdate"][];
                };
            };
        };
        responses: {
            /** @description One result for each record, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            results: components["schemas"]["PersonBatchResult"][];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    batchDeletePeople: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: {
                        /** @description per_ and a uuid */
                        id: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description One result for each record, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            results: components["schemas"]["PersonBatchDeleteResult"][];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    searchPeople: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PersonSearch"];
            };
        };
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Person"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadSearch"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableSearch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    mergePerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description per_ and a uuid */
                personId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonMerge"];
            };
        };
        responses: {
            /** @description The merged person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MergedPerson"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PersonNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listCompanies: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Whether all conditions of the filter must hold, or any of them */
                combinator?: "and" | "or";
                /**
                 * @description `filter[<field>][<operator>]=<value>`, at most 50 conditions; `combinator` says whether all or any of them must hold. `all`, `in` and `not_in` take up to 100 values: repeat the parameter, also with `[]` or `[0]`, `[1]` behind it. `empty` and `not_empty` take none. `like` finds a part of a text in any letter case.
                 *
                 *     - `name`, `description`, `industry`, `employeeRange`, `addresses`, `emails`, `phones`, `urls`: `eq`, `not_eq`, `like`, `not_like`, `empty`, `not_empty`
                 *     - `fundingRaised`, `foundationYear`: `eq`, `not_eq`, `gt`, `lt`, `empty`, `not_empty`
                 *     - `lastFundingDate`: `eq`, `not_eq`, `gt`, `lt`, `empty`, `not_empty` (dates YYYY-MM-DD)
                 *     - `groups`: `all`, `in`, `not_in`, `empty`, `not_empty` (`[id]` behind the operator)
                 *     - `createdAt`: `eq`, `not_eq`, `gt`, `lt`, `empty`, `not_empty` (dates YYYY-MM-DD, compared by day in UTC)
                 *     - `createdBy`: `in`, `not_in`, `empty`, `not_empty` (`[id]` or `[email]` behind the operator)
                 *     - `customFieldValues.<groupId>.<fieldName>`: as the type of the custom field has it
                 */
                filter?: components["schemas"]["CompanyFilter"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Company"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCompany: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyCreate"];
            };
        };
        responses: {
            /** @description The company. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    getCompany: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description com_ and a uuid */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The company. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["CompanyNotFound"];
            422: components["responses"]["UnprocessableCompany"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCompany: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description com_ and a uuid */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The id of what was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description com_ and a uuid */
                            id: string;
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["CompanyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    updateCompany: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description com_ and a uuid */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyUpdate"];
            };
        };
        responses: {
            /** @description The company. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["CompanyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    batchCreateCompanies: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: components["schemas"]["BatchCompanyCreate"][];
                };
            };
        };
        responses: {
            /** @description One result for each record, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            results: components["schemas"]["CompanyBatchResult"][];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    batchUpdateCompanies: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: components["schemas"]["BatchCompanyUpdate"][];
                };
            };
        };
        responses: {
            /** @description One result for each record, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            results: components["schemas"]["CompanyBatchResult"][];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    batchDeleteCompanies: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: {
                        /** @description com_ and a uuid */
                        id: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description One result for each record, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            results: components["schemas"]["CompanyBatchDeleteResult"][];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    searchCompanies: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompanySearch"];
            };
        };
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Company"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadSearch"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableSearch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    mergeCompany: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description com_ and a uuid */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyMerge"];
            };
        };
        responses: {
            /** @description The merged company. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MergedCompany"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["CompanyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listDeals: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Whether all conditions of the filter must hold, or any of them */
                combinator?: "and" | "or";
                /**
                 * @description `filter[<field>][<operator>]=<value>`, at most 50 conditions; `combinator` says whether all or any of them must hold. `all`, `in` and `not_in` take up to 100 values: repeat the parameter, also with `[]` or `[0]`, `[1]` behind it. `empty` and `not_empty` take none. `like` finds a part of a text in any letter case.
                 *
                 *     - `name`: `eq`, `not_eq`, `like`, `not_like`, `empty`, `not_empty`
                 *     - `companies`, `people`: `all`, `in`, `not_in`, `empty`, `not_empty` (`[id]` behind the operator)
                 *     - `createdAt`: `eq`, `not_eq`, `gt`, `lt`, `empty`, `not_empty` (dates YYYY-MM-DD, compared by day in UTC)
                 *     - `createdBy`: `in`, `not_in`, `empty`, `not_empty` (`[id]` or `[email]` behind the operator)
                 *     - `customFieldValues.<fieldName>`: as the type of the custom field has it
                 */
                filter?: components["schemas"]["DealFilter"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description Name of an object type, as it is written */
                objectType: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Deal"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["GroupObjectTypeNotFound"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDeal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description Name of an object type, as it is written */
                objectType: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DealCreate"];
            };
        };
        responses: {
            /** @description The object. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupObjectTypeNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    getDeal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description Name of an object type, as it is written */
                objectType: string;
                /** @description obj_ and a uuid */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The object. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["GroupObjectTypeObjectNotFound"];
            422: components["responses"]["UnprocessableGroupObjectTypeObject"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDeal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description Name of an object type, as it is written */
                objectType: string;
                /** @description obj_ and a uuid */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The id of what was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description obj_ and a uuid */
                            id: string;
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupObjectTypeObjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    updateDeal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description Name of an object type, as it is written */
                objectType: string;
                /** @description obj_ and a uuid */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DealUpdate"];
            };
        };
        responses: {
            /** @description The object. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupObjectTypeObjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    batchCreateDeals: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description Name of an object type, as it is written */
                objectType: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: components["schemas"]["BatchDealCreate"][];
                };
            };
        };
        responses: {
            /** @description One result for each record, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            results: components["schemas"]["DealBatchResult"][];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupObjectTypeNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    batchUpdateDeals: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description Name of an object type, as it is written */
                objectType: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: components["schemas"]["BatchDealUpdate"][];
                };
            };
        };
        responses: {
            /** @description One result for each record, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            results: components["schemas"]["DealBatchResult"][];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupObjectTypeNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    batchDeleteDeals: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description Name of an object type, as it is written */
                objectType: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: {
                        /** @description obj_ and a uuid */
                        id: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description One result for each record, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            results: components["schemas"]["DealBatchDeleteResult"][];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupObjectTypeNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    searchDeals: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description Name of an object type, as it is written */
                objectType: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DealSearch"];
            };
        };
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Deal"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadSearch"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["GroupObjectTypeNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableSearch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    mergeDeal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description grp_ and a uuid */
                groupId: string;
                /** @description Name of an object type, as it is written */
                objectType: string;
                /** @description obj_ and a uuid */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DealMerge"];
            };
        };
        responses: {
            /** @description The merged object. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MergedDeal"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GroupObjectTypeObjectNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listNotes: {
        parameters: {
            query?: {
                /** @description per_ or com_ or obj_ and a uuid */
                "entity.id"?: string;
                /** @description Words that the note has, each as a beginning */
                query?: string;
                /** @description A timestamp, or a date, which is its start in UTC. Only notes that were made after this time */
                createdAfter?: string;
                /** @description A timestamp, or a date, which is its start in UTC. Only notes that were made before this time */
                createdBefore?: string;
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Note"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteCreate"];
            };
        };
        responses: {
            /** @description The note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    getNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description nte_ and a uuid */
                noteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoteNotFound"];
            422: components["responses"]["UnprocessableNote"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description nte_ and a uuid */
                noteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The id of what was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description nte_ and a uuid */
                            id: string;
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoteNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    updateNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description nte_ and a uuid */
                noteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteUpdate"];
            };
        };
        responses: {
            /** @description The note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoteNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description Whether all conditions of the filter must hold, or any of them */
                combinator?: "and" | "or";
                /**
                 * @description `filter[<field>][<operator>]=<value>`, at most 50 conditions; `combinator` says whether all or any of them must hold. `all`, `in` and `not_in` take up to 100 values: repeat the parameter, also with `[]` or `[0]`, `[1]` behind it. `empty` and `not_empty` take none. `like` finds a part of a text in any letter case.
                 *
                 *     - `dueAt`: `eq`, `not_eq`, `gt`, `lt`
                 *     - `createdAt`: `gt`, `lt`
                 *     - `assigneeUserId`: `in`, `not_in`
                 *     - `entity`: `in`, `not_in`
                 *     - `completedAt`: `empty`, `not_empty`, `gt`, `lt`
                 */
                filter?: components["schemas"]["TaskFilter"];
                /** @description Whether only tasks of the caller are listed */
                onlyAssignedToMe?: "true" | "false";
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Task"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskCreate"];
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description tsk_ and a uuid */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TaskNotFound"];
            422: components["responses"]["UnprocessableTask"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description tsk_ and a uuid */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The id of what was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description tsk_ and a uuid */
                            id: string;
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["TaskNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    updateTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description tsk_ and a uuid */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskUpdate"];
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["TaskNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    markAsDone: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description tsk_ and a uuid */
                taskId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskCompletion"];
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["TaskNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    markAsTodo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description tsk_ and a uuid */
                taskId: string;
            };
            cookie?: never;
        };
        /** @description Nothing, or an empty object */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["TaskNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    markAsTodoAlias: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description tsk_ and a uuid */
                taskId: string;
            };
            cookie?: never;
        };
        /** @description Nothing, or an empty object */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["TaskNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listReminders: {
        parameters: {
            query?: {
                /** @description per_ or com_ or obj_ and a uuid */
                "entity.id"?: string;
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Reminder"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createReminder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReminderCreate"];
            };
        };
        responses: {
            /** @description The reminder. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Reminder"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    getReminder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description rmd_ and a uuid */
                reminderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reminder. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Reminder"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["ReminderNotFound"];
            422: components["responses"]["UnprocessableReminder"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteReminder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description rmd_ and a uuid */
                reminderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The id of what was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description rmd_ and a uuid */
                            id: string;
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ReminderNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    updateReminder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description rmd_ and a uuid */
                reminderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReminderUpdate"];
            };
        };
        responses: {
            /** @description The reminder. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Reminder"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ReminderNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listInteractions: {
        parameters: {
            query?: {
                /** @description per_ or com_ and a uuid */
                "entity.id"?: string;
                /** @description What has happened, or what is planned */
                timeframe?: "past" | "upcoming";
                /** @description An empty value stands for none of them */
                importedTypes?: ("email" | "calendar" | "whatsapp" | "call")[];
                /** @description Only interactions of these users */
                "user.id"?: string[];
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Interaction"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createInteraction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InteractionCreate"];
            };
        };
        responses: {
            /** @description The interaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Interaction"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listPastInteractions: {
        parameters: {
            query: {
                /** @description per_ or com_ and a uuid */
                "entity.id": string;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Interaction"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUpcomingInteractions: {
        parameters: {
            query: {
                /** @description per_ or com_ and a uuid */
                "entity.id": string;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Interaction"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInteraction: {
        parameters: {
            query: {
                /** @description per_ or com_ and a uuid */
                "entity.id": string;
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description The id that the list shows */
                interactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The interaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Interaction"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["InteractionNotFound"];
            422: components["responses"]["UnprocessableInteraction"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteInteraction: {
        parameters: {
            query: {
                /** @description per_ or com_ and a uuid */
                "entity.id": string;
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id that the list shows */
                interactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The id of what was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InteractionNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    updateInteraction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id that the list shows */
                interactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InteractionUpdate"];
            };
        };
        responses: {
            /** @description The interaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Interaction"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InteractionNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    createEnrichment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description per_ and a uuid */
                personId: string;
            };
            cookie?: never;
        };
        /** @description Nothing, or an empty object */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The enrichment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Enrichment"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PersonNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listEnrichments: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Whether all conditions of the filter must hold, or any of them */
                combinator?: "and" | "or";
                /**
                 * @description `filter[<field>][<operator>]=<value>`, at most 50 conditions; `combinator` says whether all or any of them must hold. `all`, `in` and `not_in` take up to 100 values: repeat the parameter, also with `[]` or `[0]`, `[1]` behind it. `empty` and `not_empty` take none. `like` finds a part of a text in any letter case.
                 *
                 *     - `status`: `eq`, `not_eq`, `in`, `not_in`
                 *     - `createdAt`: `gt`, `lt`
                 *     - `finishedAt`: `empty`, `not_empty`, `gt`, `lt`
                 */
                filter?: components["schemas"]["EnrichmentFilter"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Enrichment"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEnrichment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description enr_ and a uuid */
                enrichmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrichment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Enrichment"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["EnrichmentNotFound"];
            422: components["responses"]["UnprocessableEnrichment"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Credits"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Webhook"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description The webhook with secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /** @description wbk_ and a uuid */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WebhookNotFound"];
            422: components["responses"]["UnprocessableWebhook"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description wbk_ and a uuid */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The id of what was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description wbk_ and a uuid */
                            id: string;
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description wbk_ and a uuid */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description wbk_ and a uuid */
                webhookId: string;
            };
            cookie?: never;
        };
        /** @description Nothing, or an empty object */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The webhook with secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description wbk_ and a uuid */
                webhookId: string;
            };
            cookie?: never;
        };
        /** @description Nothing, or an empty object */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only such deliveries */
                status?: "pending" | "succeeded" | "failed" | "cancelled";
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description wbk_ and a uuid */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["Delivery"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WebhookNotFound"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description wbk_ and a uuid */
                webhookId: string;
                /** @description dlv_ and a uuid */
                deliveryId: string;
            };
            cookie?: never;
        };
        /** @description Nothing, or an empty object */
        requestBody?: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookDeliveryNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description wbk_ and a uuid */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            /** @description The replayed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Replayed"];
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadWrite"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["UnprocessableWrite"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["WriteUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events of these types. Absent: all */
                types?: ("person.created" | "person.updated" | "person.deleted" | "person.groups_updated" | "person.workspace_interaction_metadata_updated" | "company.created" | "company.updated" | "company.deleted" | "company.groups_updated" | "object.created" | "object.updated" | "object.deleted" | "note.created" | "note.updated" | "note.deleted" | "reminder.created" | "reminder.updated" | "reminder.deleted" | "reminder.triggered")[];
                /** @description A timestamp, or a date, which is its start in UTC. Where the first page begins. With a cursor it says nothing */
                since?: string;
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description Of a stream: the id of the last event that was read. The stream goes on behind it. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["FeedEvent"][];
                            pagination: components["schemas"]["Pagination"];
                            /** @description Where to go on from, now or later. It is there on the last page and on an empty one, too */
                            cursor: string;
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRequestLogs: {
        parameters: {
            query?: {
                /** @description Only the request with this id */
                requestId?: string;
                /** @description Whether only requests are listed that were refused or failed */
                onlyErrors?: "true" | "false";
                /** @description A timestamp, or a date, which is its start in UTC. Only requests that came at this time or later */
                since?: string;
                /** @description Records of the page */
                limit?: number;
                /** @description Where the page begins: the cursor of the `nextLink` of the page before. Everything but `limit` must be as it was there. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The version that you were written for. Absent: the latest. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description `handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            items: components["schemas"]["RequestLog"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                        /** @description What in this request is deprecated, and what to use instead */
                        deprecations?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableList"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receivePersonCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "person.created";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePersonUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "person.updated";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        changes: components["schemas"]["Change"][];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePersonDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "person.deleted";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        details: {
                            fullName: string;
                            firstName: string;
                            lastName: string;
                            emails: string[];
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePersonGroupsUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "person.groups_updated";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        changes: components["schemas"]["Change"][];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePersonWorkspaceInteractionMetadataUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "person.workspace_interaction_metadata_updated";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        changes: components["schemas"]["Change"][];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCompanyCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "company.created";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCompanyUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "company.updated";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        changes: components["schemas"]["Change"][];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCompanyDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "company.deleted";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        details: {
                            name: string;
                            emails: string[];
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCompanyGroupsUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "company.groups_updated";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        changes: components["schemas"]["Change"][];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveObjectCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "object.created";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveObjectUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "object.updated";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        changes: components["schemas"]["Change"][];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveObjectDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "object.deleted";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        details: {
                            name: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveNoteCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "note.created";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveNoteUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "note.updated";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        changes: components["schemas"]["Change"][];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveNoteDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "note.deleted";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        details: {
                            entityId: string;
                            /** @enum {string} */
                            entityType: "person" | "company" | "object";
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveReminderCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "reminder.created";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveReminderUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "reminder.updated";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        changes: components["schemas"]["Change"][];
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveReminderDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "reminder.deleted";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        details: {
                            entityId: string;
                            /** @enum {string} */
                            entityType: "person" | "company" | "object";
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveReminderTriggered: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at each attempt */
                "webhook-id": string;
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_ and a uuid, the same for each webhook */
                    id: string;
                    /** @constant */
                    type: "reminder.triggered";
                    /** Format: date-time */
                    createdAt: string;
                    /**
                     * Format: uri
                     * @description The URL of the webhook
                     */
                    source: string;
                    data: {
                        /** @description The record, note or reminder */
                        id: string;
                        /**
                         * Format: uri
                         * @description Where it is found, or was found before it was deleted
                         */
                        url: string;
                        details: {
                            /** Format: date-time */
                            lastTriggeredTime: string;
                            /** Format: date-time */
                            nextTriggeredTime: string | null;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the webhook becomes inactive at once */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event has arrived. The body of the answer does not matter */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Anything else, a redirect too, is a failure, and the event is sent again later */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

/** The version of the API that these types describe. */
export const API_VERSION = "2025-06-09";
