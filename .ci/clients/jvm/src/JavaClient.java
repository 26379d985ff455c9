// Uses a Java client generated from /openapi.json: creates an event with a document, follows pages, reads an error.

import capture.java.ApiClient;
import capture.java.ApiException;
import capture.java.ApiResponse;
import capture.java.api.EventsApi;
import capture.java.api.UsersApi;
import capture.java.model.*;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class JavaClient {
    static final String PICTURE =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    public static void main(String[] arguments) throws Exception {
        ApiClient service = new ApiClient().setBasePath(arguments[0]);
        EventsApi events = new EventsApi(service);

        NewDocument letter = new NewDocument().documentData(PICTURE).seal(7L).addStampsItem(
            new NewStampOfDocument().stampType("heart").posX(1L).posY(2L).rotation(0.5));
        NewCheerEvent cheer = new NewCheerEvent().eventType(NewCheerEvent.EventTypeEnum.CHEER).amount(100L)
            .userName("Ann").occurredAt(OffsetDateTime.parse("2026-11-20T16:53:02Z"))
            .user(new NewUser().platformId("java-" + System.nanoTime()).name("Ann"));
        Event created = events.createEvent(new NewEvent(cheer.document(letter)), null);
        CheerEvent event = created.getCheerEvent();
        check(event.getAmount() == 100 && event.getDocument().getStamps().get(0).getPosY() == 2, created);
        long user = event.getUserId();

        for (int further = 0; further < 4; further += 1) {
            events.createEvent(new NewEvent(cheer.document(null)), null);
        }
        Set<Long> found = new HashSet<>();
        String cursor = null;
        do {
            ApiResponse<List<Event>> page = new UsersApi(service).listEventsOfUserWithHttpInfo(
                user, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 2, cursor);
            page.getData().forEach(one -> found.add(one.getCheerEvent().getEventId()));
            String link = String.join(",", page.getHeaders().getOrDefault("link", List.of()));
            Matcher next = Pattern.compile("[?&]cursor=([^&>]+)").matcher(link);
            cursor = next.find() ? next.group(1) : null;
        } while (cursor != null);
        check(found.size() == 5, found);

        try {
            new UsersApi(service).changeUser(user, new UserChanges().name(""), null, null);
            check(false, "an empty name is refused");
        } catch (ApiException refused) {
            Problem problem = Problem.fromJson(refused.getResponseBody());
            check(problem.getErrors().get(0).getPointer().equals("/name"), problem);
        }
        System.out.println("the Java client works");
    }

    static void check(boolean holds, Object found) {
        if (!holds) throw new AssertionError(found);
    }
}
